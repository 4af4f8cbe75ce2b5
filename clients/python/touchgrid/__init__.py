"""Reports the screens of an app to Touchgrid, and reads its data.

    from touchgrid import Touchgrid

    touchgrid = Touchgrid(masks=[{"screen": "pin"}])
    touchgrid.show("menu")

`Touchgrid` is for apps: it reconnects after a restart of the daemon, adds its masks before it names
a screen, and raises nothing if the daemon is missing. `Client` is one connection with all methods
of the interface, and raises errors. `AsyncTouchgrid` and `AsyncClient` are the same for asyncio.
"""

from .aio import AsyncClient, AsyncTouchgrid
from .app import Touchgrid
from .client import Client
from .protocol import PATH, CallError, ProtocolError

__version__ = "0.2.0"
__all__ = ["__version__", "PATH", "AsyncClient", "AsyncTouchgrid", "CallError", "Client", "ProtocolError", "Touchgrid"]
