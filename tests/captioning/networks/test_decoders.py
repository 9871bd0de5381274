"""The decoders against their equations, written out."""

import torch

from captioning.networks.attention import AdaptiveDecoder, Att2inDecoder
from captioning.networks.decoders import LstmDecoder
from tests.captioning.networks.samples import make_network, make_regions, make_words


def run_lstm(decoder: LstmDecoder, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
    lstm = decoder.lstm
    hidden = lstm.hidden_size
    output = cell = torch.zeros(len(inputs[0]), hidden)
    outputs = []
    for each in inputs:
        gates = each @ lstm.weight_ih_l0.T + lstm.bias_ih_l0 + output @ lstm.weight_hh_l0.T + lstm.bias_hh_l0
        enter, forget, new, leave = gates.chunk(4, dim=1)
        cell = forget.sigmoid() * cell + enter.sigmoid() * new.tanh()
        output = leave.sigmoid() * cell.tanh()
        outputs.append(output)
    return outputs


def test_show_and_tell_reads_the_image_once_before_the_words() -> None:
    network = make_network("show-and-tell", scale=3)
    decoder = network.decoder
    assert isinstance(decoder, LstmDecoder)
    words = make_words()
    with torch.no_grad():
        regions = network.encoder(make_regions())
        inputs = [decoder.image(regions.mean), *decoder.embedding(words).unbind(dim=1)]
        outputs = torch.stack(run_lstm(decoder, inputs)[1:], dim=1)
        torch.testing.assert_close(decoder(regions, words), decoder.give(outputs))


def test_lrcn_reads_the_image_with_every_word() -> None:
    network = make_network("lrcn-1u", scale=3)
    decoder = network.decoder
    assert isinstance(decoder, LstmDecoder)
    words = make_words()
    with torch.no_grad():
        regions = network.encoder(make_regions())
        image = decoder.image(regions.mean)
        inputs = [torch.cat([vectors, image], dim=1) for vectors in decoder.embedding(words).unbind(dim=1)]
        outputs = torch.stack(run_lstm(decoder, inputs), dim=1)
        torch.testing.assert_close(decoder(regions, words), decoder.give(outputs))


def test_attention_of_att2in_enters_the_cell_only() -> None:
    network = make_network("att2in", scale=3)
    decoder = network.decoder
    assert isinstance(decoder, Att2inDecoder)
    assert decoder.cell.context is not None
    words = make_words()
    with torch.no_grad():
        regions = network.encoder(make_regions())
        for row in range(3):
            present = regions.values[row, regions.mask[row]]
            output = cell = torch.zeros(8)
            for step in range(words.shape[1]):
                hidden = torch.tanh(decoder.keys(present) + decoder.query(output))
                context = torch.softmax(decoder.weight(hidden)[:, 0], dim=0) @ present
                total = decoder.cell.inputs(decoder.embedding(words[row, step])) + decoder.cell.recurrent(output)
                enter, forget, leave = total[:24].sigmoid().view(3, 8)
                first, second = (total[24:] + decoder.cell.context(context)).view(2, 8)
                cell = enter * torch.where(first > second, first, second) + forget * cell
                output = leave * cell.tanh()
                expected = decoder.give(output)
                torch.testing.assert_close(decoder(regions, words)[row, step], expected)


def test_adaptive_attention_mixes_the_attended_regions_and_the_sentinel() -> None:
    network = make_network("adaptive", scale=3)
    decoder = network.decoder
    assert isinstance(decoder, AdaptiveDecoder)
    words = make_words()
    with torch.no_grad():
        regions = network.encoder(make_regions())
        computed = decoder(regions, words)
        for row in range(3):
            present = regions.values[row, regions.mask[row]]
            image = torch.relu(decoder.image(present.mean(dim=0)))
            output, cell = torch.zeros(1, 8), torch.zeros(1, 8)
            for step in range(words.shape[1]):
                inputs = torch.cat([decoder.embedding(words[row, step]), image])[None]
                gate = (decoder.gate_input(inputs) + decoder.gate_output(output)).sigmoid()
                output, cell = decoder.lstm(inputs, (output, cell))
                sentinel = gate * cell.tanh()
                of_regions = decoder.weight(torch.tanh(decoder.keys(present) + decoder.query(output)))[:, 0]
                of_sentinel = decoder.weight(torch.tanh(decoder.sentinel_key(sentinel) + decoder.query(output)))[0]
                beta = torch.softmax(torch.cat([of_regions, of_sentinel]), dim=0)[-1]
                context = torch.softmax(of_regions, dim=0) @ present
                mixed = beta * sentinel[0] + (1 - beta) * context
                torch.testing.assert_close(computed[row, step], decoder.give(mixed + output[0]))
