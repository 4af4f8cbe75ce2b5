"""How Home Assistant learns what a kiosk has: a message for each entity (discovery by component).

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery has the members.
"""

import json
from typing import Any

from settings import Settings
from touchgrid import __version__

# The time, in s, after which Home Assistant no longer believes a count. A new one comes every 300 s.
EXPIRY = 900

# A command of ON is what presses the button.
BUTTON = {"icon": "mdi:spray-bottle", "payload_press": "ON"}
# Of each entity: the name of its topic, its component, its name for people, and its other members.
COUNT = {"state_class": "total_increasing", "expire_after": EXPIRY}
ENTITIES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("touched", "binary_sensor", "Touched", {"device_class": "occupancy"}),
    ("idle_since", "sensor", "Idle since", {"device_class": "timestamp"}),
    ("sessions", "sensor", "Sessions today", {"icon": "mdi:account-group", "unit_of_measurement": "sessions", **COUNT}),
    ("touches", "sensor", "Touches today", {"icon": "mdi:gesture-tap", "unit_of_measurement": "touches", **COUNT}),
    ("screen", "sensor", "Screen", {"icon": "mdi:monitor"}),
    ("faulty", "binary_sensor", "Touchscreen", {"device_class": "problem", "entity_category": "diagnostic",
                                                "expire_after": EXPIRY}),
    ("store", "sensor", "Store", {"icon": "mdi:database", "entity_category": "diagnostic", "expire_after": EXPIRY}),
    ("recording", "switch", "Recording", {"icon": "mdi:record-rec"}),
    ("guard", "switch", "Wake guard", {"icon": "mdi:gesture-tap-hold"}),
    ("clean", "button", "Clean the screen", BUTTON),
]
NAMES = {name for name, *_ in ENTITIES}


def discovery(settings: Settings, hidden: set[str]) -> list[tuple[str, str]]:
    """Returns the topics and the texts of the messages. The empty text of a `hidden` entity removes it."""
    kiosk = f"touchgrid_{settings.name}"
    device = {"identifiers": [kiosk], "name": settings.name, "manufacturer": "Touchgrid", "model": "Kiosk",
              "sw_version": __version__}
    messages = []
    for name, component, title, members in ENTITIES:
        entity = {
            "name": title, "unique_id": f"{kiosk}_{name}", "availability_topic": f"{settings.base}/status",
            "device": device, "origin": {"name": "touchgrid-mqtt", "sw_version": __version__}, **members}
        if component != "button":
            entity["state_topic"] = f"{settings.base}/{name}"
        if component in ("switch", "button"):
            entity["command_topic"] = command_topic(settings, name)
        if name == "faulty":
            entity["json_attributes_topic"] = f"{settings.base}/faults"
        topic = f"{settings.discovery}/{component}/{kiosk}/{name}/config"
        messages.append((topic, "" if name in hidden else json.dumps(entity)))
    return messages


def command_topic(settings: Settings, name: str) -> str:
    """Returns the topic of an entity's commands. The name + stands for all of them."""
    return f"{settings.base}/{name}/set"
