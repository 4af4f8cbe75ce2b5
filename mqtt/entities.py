"""How Home Assistant learns what a kiosk has: a message for each entity (discovery by component).

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery has the members.
"""

import json
from typing import Any

from settings import Settings
from touchgrid import __version__

# The time, in s, after which Home Assistant no longer believes a count. A new one comes every 300 s.
EXPIRY = 900

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
]
NAMES = {name for name, *_ in ENTITIES}


def discovery(settings: Settings) -> list[tuple[str, str]]:
    """Returns the topics and the texts of the messages. An empty text removes an entity."""
    kiosk = f"touchgrid_{settings.name}"
    device = {"identifiers": [kiosk], "name": settings.name, "manufacturer": "Touchgrid", "model": "Kiosk",
              "sw_version": __version__}
    messages = []
    for name, component, title, members in ENTITIES:
        entity = {
            "name": title, "unique_id": f"{kiosk}_{name}", "state_topic": f"{settings.base}/{name}",
            "availability_topic": f"{settings.base}/status", "device": device,
            "origin": {"name": "touchgrid-mqtt", "sw_version": __version__}, **members}
        if component == "switch":
            entity["command_topic"] = command_topic(settings)
        if name == "faulty":
            entity["json_attributes_topic"] = f"{settings.base}/faults"
        is_told = name != "screen" or settings.screen
        topic = f"{settings.discovery}/{component}/{kiosk}/{name}/config"
        messages.append((topic, json.dumps(entity) if is_told else ""))
    return messages


def command_topic(settings: Settings) -> str:
    return f"{settings.base}/recording/set"
