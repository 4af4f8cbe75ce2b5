"""A Qt program with controls, for the tests of touchgrid-follow: qt.py full|small|whole.

It prints where its controls are, as Qt knows it: one JSON object per line. When there is a file "more" in its folder, it
moves a button and shows another one."""

import json
import os
import sys

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtWidgets import (QApplication, QCheckBox, QComboBox, QGridLayout, QGroupBox, QLineEdit, QPushButton, QRadioButton,
                             QScrollArea, QSlider, QStyle, QStyleOptionButton, QTabWidget, QVBoxLayout, QWidget)

SECRET = "Ada Lovelace"
widgets = {}


def put(widget, x, y, width, height, name=None, parent=None):
    widget.setParent(parent or window)
    widget.setGeometry(x, y, width, height)
    if name:
        widgets[name] = widget
    return widget


def named(widget, name):
    widget.setAccessibleName(name)
    return widget


app = QApplication([])
app.setDesktopFileName("io.touchgrid.till")
window = QWidget()
window.setWindowTitle("till")
put(QPushButton("Pay 14.50"), 540, 380, 200, 60, "button Pay #.#")
put(QPushButton("Add"), 20, 20, 101, 41, "button Add")
put(QPushButton("Add"), 140, 20, 101, 41, "button Add 2")
bold = put(QPushButton("Bold"), 260, 20, 101, 41, "checkbox Bold")
bold.setCheckable(True)
put(QCheckBox("Receipt"), 380, 20, 140, 40, "checkbox Receipt")
put(QRadioButton("Cash"), 380, 220, 140, 40, "radio Cash")
put(named(QSlider(Qt.Orientation.Horizontal), "Volume"), 20, 220, 200, 50, "slider Volume")
put(named(QLineEdit(SECRET), "Name"), 20, 80, 200, 40, "field Name")
password = put(named(QLineEdit(SECRET), "PIN"), 20, 140, 200, 40, "secret")
password.setEchoMode(QLineEdit.EchoMode.Password)
size = named(QComboBox(), "Size")
size.addItems([SECRET, "Large"])
put(size, 20, 300, 120, 40, "list")
put(QPushButton("Disabled"), 540, 20, 120, 40).setEnabled(False)
put(QPushButton("Hidden"), 540, 80, 120, 40).hide()


def scrolled(labels):
    area, inside = QScrollArea(), QWidget()
    box = QVBoxLayout(inside)
    buttons = [QPushButton(label) for label in labels]
    for button in buttons:
        box.addWidget(button)
    area.setWidget(inside)
    return area, buttons


put(scrolled([f"Scrolled {number}" for number in range(30)])[0], 240, 80, 130, 120)
area, (short,) = scrolled(["Short"])
put(area, 460, 80, 160, 120)
widgets["button Short"] = short
book, page = QTabWidget(), QPushButton("Page")
book.addTab(page, "First")
book.addTab(QPushButton("Other page"), "Second")
put(book, 160, 300, 200, 140)
widgets["button Page"] = page
tabs = {"tab First": 0, "tab Second": 1}
# The place of a box that can be switched contains its content.
group, grouped = QGroupBox("Group"), QPushButton("Grouped")
group.setCheckable(True)
QVBoxLayout(group).addWidget(grouped)
put(group, 380, 280, 140, 120)
widgets["button Grouped"] = grouped
pad = QWidget()
grid = QGridLayout(pad)
grid.setContentsMargins(0, 0, 0, 0)
for key in range(10):
    button = QPushButton(str(key))
    button.setMinimumSize(10, 10)
    grid.addWidget(button, key // 3, key % 3)
put(pad, 640, 80, 120, 160, "keypad")
last = []


def clickable(widget):
    """Returns the part of a widget that takes clicks: not all of a check box."""
    if not isinstance(widget, (QCheckBox, QRadioButton)):
        return widget.rect()
    option = QStyleOptionButton()
    widget.initStyleOption(option)
    parts = QStyle.SubElement
    part = parts.SE_CheckBoxClickRect if isinstance(widget, QCheckBox) else parts.SE_RadioButtonClickRect
    return widget.style().subElementRect(part, option, widget)


def again():
    if os.path.exists("more") and "button Later" not in widgets:
        put(QPushButton("Later"), 540, 300, 120, 60, "button Later").show()
        widgets["button Add"].move(20, 30)
    places = {}
    for name, widget in widgets.items():
        area = clickable(widget)
        corner = widget.mapTo(window, area.topLeft())
        places[name] = [corner.x(), corner.y(), area.width(), area.height()]
    for name, index in tabs.items():
        area = book.tabBar().tabRect(index)
        corner = book.tabBar().mapTo(window, area.topLeft())
        places[name] = [corner.x(), corner.y(), area.width(), area.height()]
    if last != [places]:
        last[:] = [places]
        print(json.dumps({"places": places}), flush=True)


timer = QTimer()
timer.timeout.connect(again)
timer.start(200)
window.resize(*((800, 480) if sys.argv[1] == "whole" else (600, 400)))
(window.showFullScreen if sys.argv[1] == "full" else window.show)()
app.exec()
