"""The 80 object categories of COCO with the words that CHAIR assigns to each (Rohrbach et al. 2018)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_WORDS: Final = {
    "person": "adult, baby, baker, bicyclist, biker, boy, bride, buyer, caller, camper, chef, child, children, cop, "
    "cowboy, coworker, doctor, drinker, driver, father, female, foreigner, gentleman, girl, grandchild, groom, guy, "
    "hunter, kid, lady, male, man, mother, offender, officer, passenger, patient, people, pitcher, player, policeman, "
    "politician, rider, serviceman, shopper, sister, skateboarder, skater, skier, snowboarder, soldier, solider, "
    "student, teenager, thief, traveler, trespasser, villager, walker, woman, worker",
    "bicycle": "bike, minibike, trike, unicycle",
    "car": "automobile, cab, coupe, hatchback, jeep, limo, minivan, sedan, suv, taxi, taxicab, van",
    "motorcycle": "moped, motor bike, motor cycle, motorbike, scooter",
    "airplane": "air plane, airbus, aircraft, biplane, jet, jetliner, monoplane, plane, seaplane",
    "bus": "minibus, trolley",
    "train": "caboose, locomotive, tramway",
    "truck": "firetruck, hauler, lorry, pickup",
    "boat": "barge, battleship, canoe, catamaran, dinghy, ferry, ferryboat, freighter, houseboat, kayak, lifeboat, "
    "liner, motorboat, paddleboat, pontoon, powerboat, riverboat, rowboat, sailboard, sailboat, schooner, ship, skiff, "
    "speedboat, steamboat, steamship, trawler, tugboat, vessel, watercraft, yacht",
    "traffic light": "stop light, stoplight, street light, streetlight, traffic signal",
    "fire hydrant": "hydrant",
    "stop sign": "",
    "parking meter": "",
    "bench": "pew",
    "bird": "blackbird, bluebird, bluejay, buzzard, chickadee, cockatiel, cockatoo, condor, cormorant, cowbird, crow, "
    "duck, egret, falcon, finch, flamingo, fowl, goose, gosling, gull, heron, hummingbird, kingfisher, loon, lorikeet, "
    "macaw, magpie, mallard, oriole, osprey, ostrich, owl, parakeet, parrot, peacock, peafowl, pelican, pheasant, "
    "pigeon, puffin, quail, raven, robin, rooster, sandpiper, seabird, seagull, shorebird, songbird, sparrow, swan, "
    "turkey, vulture, warbler, waterbird, waterfowl, willet, woodpecker",
    "cat": "feline, kitten, tabby",
    "dog": "beagle, brindle, bulldog, canine, chihuahua, cocker, collie, corgi, dachshund, doberman, doggie, doggy, "
    "greyhound, hound, husky, labrador, mutt, pitbull, poodle, pug, pup, puppy, retriever, rottweiler, schnauzer, "
    "sheepdog, spaniel, terrier, weimaraner, whippet",
    "horse": "bronc, bronco, clydesdale, colt, equine, foal, mare, mustang, palomino, pony, racehorse, stallion",
    "sheep": "ewe, goat, lamb, ram",
    "cow": "bison, buffalo, bull, calf, cattle, heifer, holstein, ox, oxen, zebu",
    "elephant": "",
    "bear": "panda",
    "zebra": "",
    "giraffe": "",
    "backpack": "knapsack",
    "umbrella": "",
    "handbag": "briefcase, purse, wallet",
    "tie": "bow, bow tie",
    "suitcase": "luggage, suit case",
    "frisbee": "",
    "skis": "ski",
    "snowboard": "",
    "sports ball": "ball",
    "kite": "",
    "baseball bat": "",
    "baseball glove": "",
    "skateboard": "",
    "surfboard": "longboard, shortboard, skimboard, wakeboard",
    "tennis racket": "racket",
    "bottle": "",
    "wine glass": "",
    "cup": "",
    "fork": "",
    "knife": "knive, pocketknife",
    "spoon": "",
    "bowl": "container",
    "banana": "",
    "apple": "",
    "sandwich": "burger, cheeseburger, hamburger, sub",
    "orange": "",
    "broccoli": "",
    "carrot": "",
    "hot dog": "",
    "pizza": "",
    "donut": "bagel, doughnut",
    "cake": "cheesecake, coffeecake, cupcake, pancake, shortcake",
    "chair": "seat, stool",
    "couch": "chesterfield, futon, loveseat, recliner, settee, sofa",
    "potted plant": "houseplant",
    "bed": "",
    "dining table": "desk, table",
    "toilet": "commode, lavatory, potty, urinal",
    "tv": "monitor, television, televison",
    "laptop": "computer, laptop computer, lenovo, macbook, netbook, notebook",
    "mouse": "",
    "remote": "",
    "keyboard": "",
    "cell phone": "cellphone, iPhone, mobile phone, phon, phone, smartphone, telephone",
    "microwave": "",
    "oven": "stove, stove top oven, stovetop",
    "toaster": "",
    "sink": "",
    "refrigerator": "freezer, fridge",
    "book": "",
    "clock": "",
    "vase": "",
    "scissors": "",
    "teddy bear": "teddybear",
    "hair drier": "hairdryer",
    "toothbrush": "",
}

CATEGORIES: Final = tuple(_WORDS)
"""The categories; the number of a category is its index."""

CATEGORY_OF: Final[Mapping[str, int]] = MappingProxyType(
    {
        word: number
        for number, (category, others) in enumerate(_WORDS.items())
        for word in (category, *filter(None, others.split(", ")))
    }
)
"""The category number of each word, pair or triple of words."""

_YOUNG_OR_GROWN: Final = (
    *("animal", "bear", "bird", "cat", "cow", "cub"),
    *("dog", "elephant", "giraffe", "horse", "sheep", "zebra"),
)
_COMPOUNDS: Final = (
    *("air plane", "baseball bat", "baseball glove", "cell phone", "fire hydrant", "hair drier", "home plate"),
    *("hot dog", "laptop computer", "mobile phone", "motor bike", "motor cycle", "parking meter", "potted plant"),
    *("sports ball", "stop light", "stop sign", "stove top oven", "street light", "suit case", "teddy bear"),
    *("tennis racket", "traffic light", "traffic signal", "train track", "wine glass"),
)

JOINED: Final[Mapping[str, str]] = MappingProxyType(
    {compound: compound for compound in _COMPOUNDS}
    | {f"{age} {animal}": animal for age in ("adult", "baby") for animal in _YOUNG_OR_GROWN}
    | {f"passenger {vehicle}": vehicle for vehicle in ("jet", "train")}
    | {"bow tie": "tie", "toilet seat": "toilet", "wine glas": "wine glass"}
)
"""Compounds and the words they are replaced by: a baby bird is not a person, a train track not a train."""
