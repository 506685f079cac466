// A live stream of events that comes back by itself, also after a break that the browser is not told of.
const LOOK_MS = 1000,
  BREAK_MS = 3000; // a page that was just left holds its stream so long; a shorter break is nobody's concern

/** Listen at `address`. `told` holds, by the sort of event, who is called with its data. The stream says by events "here"
that it is there, so it is never silent for `silentMs`. `linked(now)` hears whether there is a connection; `opened()` is
called for each new one; `refused()`, where the server closed it for good, resolves to whether to try again. */
export function listen(address, told, { silentMs, linked, opened = () => {}, refused }) {
  let source = null,
    heard = null,
    breaks = null;
  function link(now) {
    clearTimeout(breaks);
    breaks = null;
    linked(now);
  }
  function hear() {
    heard = performance.now();
    link(true);
  }
  function connect() {
    source?.close();
    source = new EventSource(address);
    source.onopen = () => {
      hear();
      opened();
    };
    source.onerror = () => {
      breaks ??= setTimeout(link, BREAK_MS, false);
      if (source.readyState === EventSource.CLOSED) setTimeout(connectAgain, LOOK_MS);
    };
    for (const [sort, tell] of Object.entries({ here: () => {}, ...told }))
      source.addEventListener(sort, (event) => {
        hear();
        tell(JSON.parse(event.data));
      });
  }
  async function connectAgain() {
    if (source.readyState === EventSource.CLOSED && (await refused())) connect();
  }
  // A device that changed its network keeps connections on which nothing comes any more, and is not told so: the browser
  // tries them all again.
  setInterval(() => {
    if (heard === null || performance.now() - heard < silentMs || source.readyState === EventSource.CLOSED) return;
    heard = performance.now();
    link(false);
    connect();
  }, LOOK_MS);
  addEventListener("online", connect);
  addEventListener("offline", () => link(false));
  connect();
}
