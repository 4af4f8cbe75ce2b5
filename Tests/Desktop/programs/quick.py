"""A full-screen program of Qt Quick with a button, for the tests of touchgrid-follow."""

from PyQt6.QtGui import QGuiApplication
from PyQt6.QtQml import QQmlApplicationEngine

app = QGuiApplication([])
app.setDesktopFileName("io.touchgrid.till")
engine = QQmlApplicationEngine()
engine.loadData(b"""import QtQuick
import QtQuick.Controls
ApplicationWindow {
  visible: true; title: "till"; visibility: "FullScreen"
  Flickable { anchors.fill: parent; contentHeight: 2000
    Button { x: 20; y: 20; text: "Pay" } }
}""")
print('{"places": {"button Pay": [20, 20, 100, 40]}}', flush=True)
app.exec()
