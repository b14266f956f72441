// Starts the program and a browser, and gives tests hands and eyes.
//
// SINEW names the program (build/release/bin/sinew), SINEW_STUDIO_PAGE a page in place of its own, SINEW_CHROMIUM the browser
// (/usr/bin/chromium), SINEW_PICTURES a folder for screenshots.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const program = resolve(process.env.SINEW ?? join(repository, "build/release/bin/sinew"));
export const samples = join(repository, "samples");

export function work_folder() {
  const folder = mkdtempSync(join(tmpdir(), "sinew-browser-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function copy_sample(name, folder) {
  copyFileSync(join(samples, name), join(folder, name));
  return join(folder, name);
}

// `sinew studio ARGUMENTS...` in a folder. Ready once it has printed its address.
export async function start_studio(folder, ...options) {
  const page = process.env.SINEW_STUDIO_PAGE;
  const child = spawn(program, ["studio", ...options, "--no-browser", ...(page ? ["--page", resolve(page)] : [])], { cwd: folder, env: { ...process.env, XDG_RUNTIME_DIR: folder } });
  let printed = "";
  const address = await new Promise((found, failed) => {
    const heard = (data) => {
      printed += data;
      const match = printed.match(/http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/);
      if (match) found(match[0]);
    };
    child.stdout.on("data", heard);
    child.stderr.on("data", heard);
    child.on("error", (error) => failed(new Error(`${program} cannot be started: ${error.message}`)));
    child.on("exit", (code) => failed(new Error(`sinew studio ended with ${code}: ${printed}`)));
  });
  const ended = new Promise((done) => child.on("exit", (code, signal) => {
    if (code !== 0) printed += `\nsinew studio ended with ${code ?? signal}.\n`;
    done(code);
  }));
  return {
    address,
    process: child.pid,
    printed: () => printed,
    async stop(signal = "SIGINT") {
      child.kill(signal);
      return ended;
    },
  };
}

export async function start_browser() {
  return chromium.launch({
    executablePath: process.env.SINEW_CHROMIUM ?? "/usr/bin/chromium",
    // The page's text and panels are drawn without the software that stands in for a graphics card: in a third less time.
    args: ["--no-sandbox", "--disable-gpu-compositing", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
}

// A page that looks at the studio. Whatever goes wrong in it is kept in `complaints`.
export class Eye {
  complaints = [];

  // `looked_at`: the page draws as for people, because its pictures are kept or timed.
  static async open(browser, address, size = { width: 900, height: 640 }, looked_at = Boolean(process.env.SINEW_PICTURES)) {
    const eye = new Eye();
    eye.page = await browser.newPage({ viewport: size, colorScheme: "dark" });
    eye.page.on("pageerror", (error) => eye.complaints.push(error.stack ?? error.message));
    eye.page.on("console", (message) => {
      if (message.type() === "error" && !/net::ERR_CONNECTION|WebSocket|403/.test(message.text())) eye.complaints.push(message.text());
    });
    await eye.page.goto(address);
    await eye.page.waitForFunction(() => window.sinew);
    if (!looked_at) await eye.page.evaluate(() => window.sinew.studio.view.draw_coarsely(true));
    // Notices leave after some seconds; a test that fails later shows them all.
    await eye.page.evaluate(() => {
      window.notices_shown = [];
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const one of addedNodes) window.notices_shown.push(one.textContent);
      }).observe(document.getElementById("notices"), { childList: true });
    });
    return eye;
  }

  // Until the character is seen.
  async character(seconds = 60) {
    await this.page.waitForFunction(
      () => window.sinew.studio.character?.frame && window.sinew.studio.character.number === window.sinew.server.character?.number,
      null, { timeout: 1000 * seconds });
  }

  // What the server told the page.
  state(key) {
    return this.page.evaluate((name) => structuredClone(window.sinew.server[name]), key);
  }
  until(condition, argument = null, seconds = 20) {
    return this.page.waitForFunction(condition, argument, { timeout: 1000 * seconds });
  }

  // Where things are: of the vertex of the surface that is nearest to a point of the rest pose.
  nearest(point) {
    return this.page.evaluate((at) => {
      const { rest } = window.sinew.studio.character.surface;
      let best = 0, least = Infinity;
      for (let k = 0; k < rest.length; k += 3) {
        const far = Math.hypot(rest[k] - at[0], rest[k + 1] - at[1], rest[k + 2] - at[2]);
        if (far < least) [best, least] = [k / 3, far];
      }
      return best;
    }, point);
  }
  position(vertex) {
    return this.page.evaluate((k) => [...window.sinew.studio.character.frame.positions.subarray(3 * k, 3 * k + 3)], vertex);
  }
  // Until the vertex is within `tolerance` (metres) of the place.
  back_at(vertex, place, tolerance, seconds = 20) {
    return this.until(([k, [x, y, z], most]) => {
      const { positions } = window.sinew.studio.character.frame;
      return Math.hypot(positions[3 * k] - x, positions[3 * k + 1] - y, positions[3 * k + 2] - z) < most;
    }, [vertex, place, tolerance], seconds);
  }
  // Until the vertex is farther than `least` (metres) from the place.
  away_from(vertex, place, least) {
    return this.until(([k, [x, y, z], more]) => {
      const { positions } = window.sinew.studio.character.frame;
      return Math.hypot(positions[3 * k] - x, positions[3 * k + 1] - y, positions[3 * k + 2] - z) > more;
    }, [vertex, place, least]);
  }
  // The vertex's place once it has moved by less than a millimetre in half a second. Asked for before something touches the
  // flesh: on a slow machine what the scene before did may still be dying away.
  settled(vertex) {
    return this.#at_rest(() => this.position(vertex), 1e-3);
  }
  // A joint's place on the screen, once neither the joint nor the camera that follows has moved it by half a pixel in half a
  // second. Asked for before the pointer drags it by so many pixels.
  async joint_settled(joint) {
    const [x, y] = await this.#at_rest(async () => {
      const at = await this.on_screen(await this.joint_place(joint));
      return [at.x, at.y, 0];
    }, 0.5);
    return { x, y };
  }
  // `place()` once half a second has changed it by less than `apart`. That is half a second of the flesh's own time, for
  // which a slow machine needs longer; where nothing moves there are no frames, and three seconds without one will do.
  async #at_rest(place, apart) {
    for (let before = await place(); ; ) {
      await sleep(0.5);
      await this.page.evaluate(async ([wanted, patience]) => {
        const { studio, server } = window.sinew, frame = () => studio.character.frame;
        const { elapsed } = frame(), least = wanted * Math.min(1, server.play.speed);
        for (let { number } = frame(), seen = performance.now(); performance.now() - seen < patience && Math.abs(frame().elapsed - elapsed) < least;) {
          await new Promise(requestAnimationFrame);
          if (frame().number !== number) [number, seen] = [frame().number, performance.now()];
        }
      }, [0.5, 3000]);
      const now = await place();
      if (far(before, now) < apart) return now;
      before = now;
    }
  }
  joint_place(joint) {
    return this.page.evaluate((k) => [...window.sinew.studio.character.frame.joint.subarray(12 * k + 9, 12 * k + 12)], joint);
  }
  on_screen(point) {
    return this.page.evaluate((at) => {
      const { view } = window.sinew.studio;
      return view.on_screen(view.camera.position.clone().set(...at));
    }, point);
  }
  async vertex_on_screen(vertex) {
    return this.on_screen(await this.position(vertex));
  }
  // Where a ray first meets the skin.
  pick(at) {
    return this.page.evaluate(({ x, y }) => {
      const { studio } = window.sinew;
      return studio.pick(studio.view.ray({ clientX: x, clientY: y }));
    }, at);
  }

  // All that the page has said since the last call.
  async notices() {
    if (this.page.isClosed()) return "";
    return this.page.evaluate(() => [...(window.notices_shown?.splice(0) ?? []), document.querySelector("#link:not([hidden])")?.textContent ?? ""].filter(Boolean).join(" | "));
  }

  errors() {
    if (this.page.isClosed()) return [];
    return this.page.evaluate(() => [...document.querySelectorAll(".notice.error")].map((one) => one.textContent));
  }

  // Until so many frames have been drawn, or these seconds have gone by.
  async frames(count, seconds = Infinity) {
    await this.page.evaluate(async ([wanted, most]) => {
      const { studio } = window.sinew, end = performance.now() + 1000 * (most ?? Infinity);
      let last = studio.character.frame.number;
      for (let seen = 0; seen < wanted && performance.now() < end;) {
        await new Promise(requestAnimationFrame);
        const now = studio.character.frame.number;
        if (now !== last) ++seen;
        last = now;
      }
    }, [count, seconds]);
  }

  async tool(number) {
    await this.page.keyboard.press(String(number));
  }
  async panel(name) {
    if (!(await this.page.isVisible(`#${name}`))) await this.page.click(`[data-panel=${name}]`);
  }
  async drag(from, to, steps = 8) {
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move(to.x, to.y, { steps });
  }
  // Undoes on the page until `count` acts are left.
  async undo_to(count) {
    for (let left; (left = (await this.state("history")).undo) > count; ) {
      await this.page.keyboard.press("Control+z");
      await this.until((before) => window.sinew.server.history.undo < before, left);
    }
  }
  // How fast the clip plays, from a frame that is drawn already. Slowed down before the pointer presses on flesh that moves:
  // a slow machine draws a frame long after it was computed, and hears the press long after that.
  async speed(value) {
    await this.page.evaluate((asked) => window.sinew.studio.connection.ask({ do: "speed", value: asked }), value);
    await this.frames(4);
  }
  async picture(name) {
    const folder = process.env.SINEW_PICTURES;
    if (!folder) return;
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }
}

export const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
export const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
