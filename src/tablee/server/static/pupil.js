// A member of a class: this device goes where its seat is, by itself. It asks, because schools often block everything that could tell it.
const place = document.querySelector("[data-club]");
const member = `tablee-member-${place.dataset.club}`; // so that a spectator's device does not ask
if (!place.dataset.table) localStorage.setItem(member, "yes");
const EVERY = 2000;
let leaving = false; // sent there twice, a browser would begin anew
const atTable = (address) => new URL(address, location.href).pathname;

async function look() {
  if (leaving || !localStorage.getItem(member) || document.visibilityState !== "visible") return;
  let answer;
  try {
    answer = await fetch(`/class/${place.dataset.club}/where`);
  } catch {
    return; // the connection is lost; the next time
  }
  if (answer.ok) go((await answer.json()).go || `/class/${place.dataset.club}`);
  else if (answer.status < 500) end(answer.status === 404 ? place.dataset.gone : place.dataset.removed);
}

// Who still looks at the end of a game is not called away by the others' rematch: there is a button for that.
function go(where) {
  if (leaving) return;
  const rematch = document.querySelector("#rematch[data-follow]");
  if (atTable(where) === location.pathname || (rematch && atTable(rematch.href) === atTable(where))) return;
  leaving = true;
  location.assign(where);
}

function end(sentence) {
  clearInterval(looking);
  localStorage.removeItem(member);
  const said = document.getElementById("said");
  if (said && sentence) said.textContent = sentence;
}

// The seat here was given away, perhaps because there is another elsewhere.
document.addEventListener("tablee:unseated", (event) => {
  if (!localStorage.getItem(member)) return;
  event.preventDefault();
  look();
});

const looking = setInterval(look, EVERY);
addEventListener("pageshow", () => { leaving = false; }); // somebody went back
document.addEventListener("visibilitychange", look);
document.querySelector("form[action$='/leave']")?.addEventListener("submit", () => localStorage.removeItem(member));
