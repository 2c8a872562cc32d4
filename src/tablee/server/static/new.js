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
