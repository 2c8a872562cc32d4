// Before anything is painted: the keys of our seats leave the address, and a page that was drawn without them waits until its seat is drawn.
(() => {
  const [address, root] = [new URL(location.href), document.documentElement];
  const table = address.pathname.match(/^\/t\/([^/]+)$/)?.[1];
  const device = JSON.parse(localStorage.getItem("tablee-tables") ?? "{}");
  if (!table) {
    root.dataset.mine = Object.values(device).filter((each) => !each.hidden).length; // the start page keeps room for them
    return;
  }
  const drawn = address.searchParams.get("k");
  const keys = new URLSearchParams(address.hash.slice(1)).get("k") ?? drawn;
  if (keys) sessionStorage.setItem(`tablee-keys-${table}`, keys);
  address.searchParams.delete("k");
  if (keys) history.replaceState(null, "", address.pathname + address.search);
  if (drawn !== keys || (!keys && (sessionStorage.getItem(`tablee-keys-${table}`) ?? device[table]?.keys))) {
    root.dataset.seat = "awaited";
    setTimeout(() => { delete root.dataset.seat; }, 3000);
  }
})();
