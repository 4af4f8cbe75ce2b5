// Uses the package for JavaScript. `test_clients` lets tsc check it; it is not run.
import { CallError, Client, Mask, Touchgrid } from 'touchgrid';

const pin: Mask = { screen: 'checkout/pin', rectangle: { x: 0, y: 300, width: 480, height: 500 } };
const touchgrid = new Touchgrid({ masks: [pin] });
await touchgrid.show('menu');
const screen: string | undefined = (await touchgrid.call('GetScreen'))?.screen;
await touchgrid.call('SetControls', { screen: 'menu', controls: [{ name: 'pay', rectangle: { x: 0, y: 0, width: 9, height: 9 } }] });

const client = await Client.connect();
try {
  for await (const frame of client.WatchTouches()) {
    for (const touch of frame.touches) {
      const x: number = touch.point.x;
      if (touch.phase === 'began') console.log(touch.screen, x, screen);
    }
  }
} catch (error) {
  if (error instanceof CallError && error.name === 'NotPermitted') console.log(error.message);
}

// @ts-expect-error: a name is text.
client.SetScreen({ name: 7 });
