"""A GTK program with controls, for the tests of touchgrid-follow: gtk.py 3|4 full|small|whole|bar.

It prints where its controls are, as GTK knows it: one JSON object per line. When there is a file "more" in its folder, it
moves a button and shows another one."""

import json
import os
import sys

import gi

VERSION, SIZE = sys.argv[1:]
gi.require_version("Gtk", VERSION + ".0")
from gi.repository import GLib, Gtk  # noqa: E402

IS_4 = VERSION == "4"
SECRET = "Ada Lovelace"


def put(fixed, widget, x, y, width, height, name=None):
    widget.set_size_request(width, height)
    fixed.put(widget, x, y)
    if name:
        widgets[name] = widget
    return widget


def add(box, widget):
    (box.append if IS_4 else box.add)(widget)


def named(widget, name):
    if IS_4:
        widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    else:
        widget.get_accessible().set_name(name)
    return widget


def scrolled(child):
    window = Gtk.ScrolledWindow()
    (window.set_child if IS_4 else window.add)(child)
    return window


def fill(fixed):
    put(fixed, Gtk.Button(label="Pay 14.50"), 540, 380, 200, 60, "button Pay #.#")
    put(fixed, Gtk.Button(label="Add"), 20, 20, 101, 41, "button Add")
    put(fixed, Gtk.Button(label="Add"), 140, 20, 101, 41, "button Add 2")
    put(fixed, Gtk.ToggleButton(label="Bold"), 260, 20, 101, 41, "button Bold")
    put(fixed, Gtk.CheckButton(label="Receipt"), 380, 20, 140, 40, "checkbox Receipt")
    put(fixed, named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), "Volume"), 20, 220, 200, 50, "slider Volume")
    put(fixed, named(Gtk.Switch(), "Light"), 240, 230, 60, 30, "switch Light" if IS_4 else "button Light")
    put(fixed, Gtk.LinkButton(uri="https://shop.example/", label="Help"), 20, 300, 120, 40, "link Help" if IS_4 else "button Help")
    put(fixed, named(Gtk.Entry(text=SECRET), "Name"), 20, 80, 200, 40, "field Name")
    if IS_4:
        password = Gtk.PasswordEntry(text=SECRET)
    else:
        password = Gtk.Entry(text=SECRET, visibility=False)
    put(fixed, password, 20, 140, 200, 40, "secret")
    put(fixed, Gtk.Button(label="Disabled", sensitive=False), 540, 20, 120, 40)
    put(fixed, Gtk.Button(label="Hidden"), 540, 80, 120, 40).set_visible(False)
    items = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for number in range(30):
        add(items, Gtk.Button(label=f"Scrolled {number}"))
    put(fixed, scrolled(items), 240, 80, 200, 120)
    short = Gtk.Box()
    add(short, Gtk.Button(label="Short"))
    put(fixed, scrolled(short), 460, 80, 160, 120)
    widgets["button Short"] = short.get_first_child() if IS_4 else short.get_children()[0]
    book = Gtk.Notebook()
    page = Gtk.Button(label="Page")
    widgets["button Page"] = page
    for child, label in ((page, "First"), (Gtk.Button(label="Other page"), "Second")):
        book.append_page(child, Gtk.Label(label=label))
    put(fixed, book, 20, 360, 240, 100)
    # The place of an expander contains its content.
    more = Gtk.Expander(label="More", expanded=True)
    (more.set_child if IS_4 else more.add)(Gtk.Label(label="inside"))
    put(fixed, more, 280, 360, 100, 80)
    pad = Gtk.Grid()
    for key in range(10):
        button = Gtk.Button(label=str(key))
        button.set_size_request(40, 40)
        pad.attach(button, key % 3, key // 3, 1, 1)
    put(fixed, pad, 640, 80, 120, 160, "keypad")


def place(widget, window):
    """Returns the place of a widget in the window."""
    if IS_4:
        (_, bounds) = widget.compute_bounds(window)
        return [bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height]
    x, y = widget.translate_coordinates(window, 0, 0)
    allocation = widget.get_allocation()
    return [x, y, allocation.width, allocation.height]


def activate(app):
    window = Gtk.ApplicationWindow(application=app, title="till")
    window.set_default_size(*((800, 480) if SIZE == "whole" else (600, 400)))
    fixed = Gtk.Fixed()
    fill(fixed)
    (window.set_child if IS_4 else window.add)(fixed)
    if SIZE == "bar":
        bar = Gtk.HeaderBar(title="till", show_close_button=True)
        widgets["button Back"] = Gtk.Button(label="Back")
        bar.pack_start(widgets["button Back"])
        window.set_titlebar(bar)
    if SIZE in ("full", "bar"):
        window.fullscreen()
    (window.present if IS_4 else window.show_all)()
    if not IS_4:
        next(child for child in fixed.get_children() if getattr(child, "get_label", str)() == "Hidden").hide()

    last = []

    def again():
        if os.path.exists("more") and "button Later" not in widgets:
            put(fixed, Gtk.Button(label="Later"), 540, 300, 120, 60, "button Later").show()
            fixed.move(widgets["button Add"], 20, 30)
        places = {name: place(widget, window) for name, widget in widgets.items() if widget.get_mapped()}
        if last != [places]:
            last[:] = [places]
            print(json.dumps({"places": places}), flush=True)
        return True
    GLib.timeout_add(200, again)


widgets = {}
app = Gtk.Application(application_id="io.touchgrid.till")
GLib.set_prgname("io.touchgrid.till")
app.connect("activate", activate)
app.run([])
