import itertools

import numpy as np
import pytest
import torch

from captioning.training.set_rewards import (
    differentiate_dominance,
    measure_dominance,
    weigh_epc,
    weigh_jpc,
    weigh_mcider,
    weigh_scst,
    weigh_uda,
)

torch.set_num_threads(1)

LOGITS = torch.tensor([0.3, -0.4, 0.1], dtype=torch.float64)
REWARDS = np.array([1.2, 0.3, 0.7])
KERNEL = np.array([[10.0, 4.0, 1.0], [4.0, 10.0, 2.5], [1.0, 2.5, 10.0]])
UNEQUAL = np.array([[10.0, 4.0, 1.0], [4.0, 7.5, 2.5], [1.0, 2.5, 5.0]])
BASELINE = 0.9
M = 3
TUPLES = np.array(list(itertools.product(range(3), repeat=M)))


def select_kernels(kernel):
    return kernel[TUPLES[:, :, None], TUPLES[:, None, :]]


def estimate(weights):
    """Return the expectation over all tuples of -(1/m) sum_i w_i grad log p(c_i)."""
    logits = LOGITS.clone().requires_grad_()
    logarithms = torch.log_softmax(logits, dim=0)[torch.from_numpy(TUPLES)]
    probabilities = logarithms.detach().sum(dim=1).exp()
    loss = -(probabilities[:, None] * torch.from_numpy(weights) * logarithms).sum() / M
    (gradient,) = torch.autograd.grad(loss, logits)
    return gradient.numpy()


def differentiate(compute_loss):
    logits = LOGITS.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(compute_loss(torch.softmax(logits, dim=0)), logits)
    return gradient.numpy()


def joint(p):
    return p[torch.from_numpy(TUPLES)].prod(dim=1)


def test_scst_is_the_gradient_of_the_expected_reward_with_any_baseline():
    expected = differentiate(lambda p: -(p * torch.from_numpy(REWARDS)).sum())
    for baseline in (0.0, BASELINE):
        weights = weigh_scst(REWARDS[TUPLES], np.full(len(TUPLES), baseline))
        np.testing.assert_allclose(estimate(weights), expected, rtol=0, atol=1e-10)


def test_jpc_is_the_gradient_of_expected_reward_and_expected_diversity_of_the_set():
    kernels = select_kernels(KERNEL)
    diversities = torch.from_numpy(measure_dominance(kernels))
    expected = differentiate(
        lambda p: -(p * torch.from_numpy(REWARDS)).sum() - 2.0 / M * (joint(p) * diversities).sum()
    )
    weights = weigh_jpc(REWARDS[TUPLES], np.full(len(TUPLES), BASELINE), kernels, eta=2.0)
    np.testing.assert_allclose(estimate(weights), expected, rtol=0, atol=1e-10)


def differentiate_pairs(terms):
    """Return the gradient of -sum_ij terms_ij p(c_i) p(c_j) in expectation over sets, with constant terms (eq. 18)."""

    def compute(p):
        own = p[torch.from_numpy(TUPLES)]
        ratios = own / own.detach()
        pairs = ratios[:, :, None] * ratios[:, None, :]
        return -(joint(p.detach())[:, None, None] * torch.from_numpy(terms) * pairs).sum() / M**2

    return differentiate(compute)


@pytest.mark.parametrize("kernel", [KERNEL, UNEQUAL])
def test_epc_is_the_gradient_of_pairs_with_constant_signs(kernel):
    kernels = select_kernels(kernel)
    terms = np.sign(differentiate_dominance(kernels)) * kernels
    expected = differentiate(lambda p: -(p * torch.from_numpy(REWARDS)).sum()) + 0.5 * differentiate_pairs(terms)
    weights = weigh_epc(REWARDS[TUPLES], np.full(len(TUPLES), BASELINE), kernels, gamma=0.5)
    np.testing.assert_allclose(estimate(weights), expected, rtol=0, atol=1e-10)


def test_mcider_is_the_gradient_of_the_mean_similarity_where_the_diagonal_is_constant():
    kernels = select_kernels(KERNEL)
    means = torch.from_numpy(kernels.mean(axis=(1, 2)))
    expected = differentiate(lambda p: -(p * torch.from_numpy(REWARDS)).sum() + 0.5 * (joint(p) * means).sum())
    weights = weigh_mcider(REWARDS[TUPLES], np.full(len(TUPLES), BASELINE), kernels, gamma=0.5)
    np.testing.assert_allclose(estimate(weights), expected, rtol=0, atol=1e-10)


def test_mcider_with_unequal_diagonal_counts_a_caption_with_itself_as_two_draws():
    kernels = select_kernels(UNEQUAL)
    means = torch.from_numpy(kernels.mean(axis=(1, 2)))
    itself = torch.from_numpy(np.diag(UNEQUAL).copy())
    expected = differentiate(
        lambda p: -(p * torch.from_numpy(REWARDS)).sum() + 0.5 * (joint(p) * means).sum() + 0.5 / M * (p * itself).sum()
    )
    weights = weigh_mcider(REWARDS[TUPLES], np.full(len(TUPLES), BASELINE), kernels, gamma=0.5)
    np.testing.assert_allclose(estimate(weights), expected, rtol=0, atol=1e-10)


def test_uda_is_the_gradient_of_pairs_with_constant_signs_of_the_derivative_of_the_determinant():
    kernels, qualities = select_kernels(KERNEL), REWARDS[TUPLES]
    ensembles = torch.from_numpy(qualities[:, :, None] * qualities[:, None, :] * kernels)
    regular = (ensembles + 1e-6 * torch.eye(M)).requires_grad_()
    # det is positive, so its derivative has the signs of the inverse.
    (derivative,) = torch.autograd.grad(torch.linalg.det(regular).sum(), regular)
    expected = differentiate_pairs((torch.sign(derivative) * ensembles).numpy())
    np.testing.assert_allclose(estimate(weigh_uda(qualities, kernels)), expected, rtol=0, atol=1e-10)


def draw_kernels(n, m, seed=0):
    vectors = np.random.default_rng(seed).normal(size=(n, m, 6))
    return vectors @ vectors.swapaxes(1, 2)


def test_derivative_of_dominance_equals_autograd_and_finite_differences():
    kernels = draw_kernels(4, 5)
    given = torch.from_numpy(kernels).requires_grad_()
    eigenvalues = torch.linalg.eigvalsh(given)
    (expected,) = torch.autograd.grad((-eigenvalues[:, -1] / eigenvalues.sum(dim=1)).sum(), given)
    found = differentiate_dominance(kernels)
    np.testing.assert_allclose(found, expected.numpy(), rtol=0, atol=1e-10)
    for i, j in itertools.product(range(5), repeat=2):
        change = np.zeros((5, 5))
        change[i, j] += 0.5e-5
        change[j, i] += 0.5e-5
        difference = (measure_dominance(kernels + change) - measure_dominance(kernels - change)) / 2e-5
        np.testing.assert_allclose(found[:, i, j], difference, rtol=0, atol=1e-8)


def test_dominance_is_within_its_range():
    assert measure_dominance(np.stack([10 * np.eye(4), np.full((4, 4), 10.0), np.zeros((4, 4))])).tolist() == (
        pytest.approx([-0.25, -1.0, 0.0])
    )


def test_signs_of_special_matrices():
    orthogonal, same, nothing = np.sign(
        differentiate_dominance(np.stack([10 * np.eye(3), np.full((3, 3), 10.0), np.zeros((3, 3))]))
    )
    # Captions that share nothing cannot be more diverse; the derivative of the tied eigenvalues is 0.
    assert not orthogonal.any()
    # Identical captions: every similarity of a pair is to be reduced.
    assert (same == 2 * np.eye(3) - 1).all()
    assert not nothing.any()


def test_tied_eigenvalues_do_not_depend_on_the_choice_of_eigenvectors():
    # Two blocks of identical captions: the largest eigenvalue has two eigenvectors, in any basis of their plane.
    block = np.kron(np.eye(2), np.full((2, 2), 10.0))
    order = [2, 0, 3, 1]
    found = differentiate_dominance(block[None])[0]
    np.testing.assert_allclose(
        differentiate_dominance(block[np.ix_(order, order)][None])[0], found[np.ix_(order, order)], atol=1e-12
    )
    assert (np.sign(found) == np.kron(np.eye(2), [[1, -1], [-1, 1]])).all()


def test_uda_of_identical_captions_rewards_none_and_of_wrong_captions_nothing():
    same = np.full((1, 2, 2), 10.0)
    np.testing.assert_allclose(weigh_uda(np.ones((1, 2)), same), 0.0)
    assert not weigh_uda(np.zeros((1, 2)), same).any()
