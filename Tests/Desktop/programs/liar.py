"""Claims on the accessibility bus to be a GTK 3 program with a window "liar", for the tests of touchgrid-follow:
liar.py many|silent|wrong|cycle. It has too many objects, does not answer for them, answers with other types, or contains
itself."""

import json
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

KIND = sys.argv[1]
ACCESSIBLE, COMPONENT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Component"
ROOT = "/org/a11y/atspi/accessible/root"
WINDOW, PART = "/liar/window", "/liar/part"
SHOWN = (1 << 25 | 1 << 30 | 1 << 24)


class Liar(dbus.service.FallbackObject):
    @dbus.service.method(ACCESSIBLE, out_signature="a(so)", path_keyword="path")
    def GetChildren(self, path=None):
        name = bus.get_unique_name()
        if path == ROOT:
            return [(name, WINDOW)]
        if KIND == "cycle":
            return [(name, WINDOW)]
        return [(name, PART)] * (200 if KIND == "many" or path == WINDOW else 0)

    @dbus.service.method(ACCESSIBLE, out_signature="u", path_keyword="path", async_callbacks=("reply", "fail"))
    def GetRole(self, path=None, reply=None, fail=None):
        if KIND != "silent" or path != PART:
            reply(23 if path == WINDOW else 39)

    @dbus.service.method(ACCESSIBLE, out_signature="s" if KIND == "wrong" else "au", path_keyword="path")
    def GetState(self, path=None):
        return "shown" if KIND == "wrong" else dbus.Array([SHOWN, 0], "u")

    @dbus.service.method(ACCESSIBLE, out_signature="as")
    def GetInterfaces(self):
        return [ACCESSIBLE, COMPONENT, "org.a11y.atspi.Action"]

    @dbus.service.method(COMPONENT, in_signature="u", out_signature="(iiii)")
    def GetExtents(self, _):
        return 0, 0, 800, 480

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, _, name):
        return {"ToolkitName": "gtk", "Version": "3.24.38"}.get(name, "liar")


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
session = dbus.SessionBus()
address = dbus.Interface(session.get_object("org.a11y.Bus", "/org/a11y/bus"), "org.a11y.Bus").GetAddress()
bus = dbus.bus.BusConnection(address)
liar = Liar(bus, "/")
registry = dbus.Interface(bus.get_object("org.a11y.atspi.Registry", ROOT), "org.a11y.atspi.Socket")
registry.Embed((bus.get_unique_name(), dbus.ObjectPath(ROOT)))
print(json.dumps({"places": {"button": [0, 0, 1, 1]}}), flush=True)
GLib.MainLoop().run()
