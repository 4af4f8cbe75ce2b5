// A kiosk app that tells Touchgrid what it shows, with the package touchgrid. Electron's main process is Node, too.

import {createInterface} from 'node:readline';
import {Touchgrid, path} from 'touchgrid';

// Your app goes here. In this example, each line that you type is the name of the next screen.
const keypad = {x: 0, y: 300, width: 480, height: 500};
const pay = {x: 640, y: 600, width: 300, height: 80};
const touchgrid = new Touchgrid({
  socket: process.env.TOUCHGRID_SOCKET ?? path,
  masks: [{screen: 'checkout/pin', rectangle: keypad}],
});
// Where the buttons of each screen are. Call it again if a layout changes.
touchgrid.call('SetControls', {screen: 'checkout', controls: [{name: 'pay', rectangle: pay}]});
touchgrid.call('BeginSession', {tags: {build: '1.4'}});
for await (const line of createInterface({input: process.stdin})) {
  const screen = line.trim();
  // Do not record the staff.
  touchgrid.call(screen === 'service' ? 'Pause' : 'Resume');
  await touchgrid.show(screen);
}
touchgrid.call('TagSession', {tags: {outcome: 'paid'}});
await touchgrid.call('EndSession');
touchgrid.close();
