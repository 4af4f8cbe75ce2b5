// The user who is logged in.

const {cockpit} = window;
let known = 'USER';

/** Returns the user's name; USER until it is known. */
export const userName = () => known;

/** Finds the name out. */
export const whoIsIt = () => cockpit.user().then(({name}) => { known = name; });
