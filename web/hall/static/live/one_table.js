// One table of the hall, shown by the scripts of the table's own pages; `onTable` hears what the hall says of it.
import { boot, show, stayThroughGames } from "/static/page/live.js";
import { follow } from "/hall-static/live/follow.js";

const followers = [];
export let table = boot.hall.now || {};
export function onTable(follower) {
  followers.push(follower);
  follower(table);
}
stayThroughGames();
follow({
  table: ({ page, ...about }) => {
    table = about;
    show(page || { session: null });
    followers.forEach((follower) => follower(table));
  },
});
