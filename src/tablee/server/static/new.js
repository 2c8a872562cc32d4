// One more chair at a time; a chair that is shown is taken by somebody.
const more = document.getElementById("more");
more?.addEventListener("click", () => {
  const next = document.querySelector(".chair[hidden]");
  if (!next) return;
  next.hidden = false;
  const choice = next.querySelector("select");
  if (!choice.value) choice.value = "bot:greedy";
  next.querySelector("input").focus();
  more.hidden = !document.querySelector(".chair[hidden]");
});

// What each chair chooses for itself is different: whoever had it takes what the other one leaves.
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".own input")) return;
  const thing = target.name.replace(/\d+$/, "");
  const all = [...document.querySelectorAll(".own input")].filter((each) => each.name.startsWith(thing));
  const free = [...new Set(all.map((each) => each.value))].find((value) => !all.some((each) => each.checked && each.value === value));
  const other = all.find((each) => each.checked && each.value === target.value && each !== target);
  const instead = all.find((each) => each.name === other?.name && each.value === free);
  if (instead) instead.checked = true;
});
