// The logged-in user.

const {cockpit} = window;
let known = 'USER';

/** Returns the user's name; `USER` until it is known. */
export const userName = () => known;

/** Queries the user's name. */
export const whoIsIt = () => cockpit.user().then(({name}) => { known = name; });
