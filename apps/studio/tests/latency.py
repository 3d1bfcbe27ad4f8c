"""How long the studio takes to answer on a virtual screen: from a key, a turn of the view or a dragged bone to changed
pixels, in milliseconds. Needs Xvfb, xdotool and libX11.

    python3 apps/studio/tests/latency.py target/release/supple hand.glb [times]
"""

import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

WIDTH, HEIGHT = 1280, 800
WHOLE, PANEL, VIEW = (0, 0, WIDTH, HEIGHT), (5, 300, 100, 100), (400, 200, 400, 300)
DISPLAY = ":77"


class XImage(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("width", "height", "offset", "format")]
    _fields_ += [("data", ctypes.c_void_p)]
    _fields_ += [(name, ctypes.c_int) for name in ("byte_order", "unit", "bit_order", "pad", "depth", "bytes_per_line")]


class Screen:
    """Reads pixels; a program started for every look would take longer than the answer."""

    def __init__(self):
        self.x = ctypes.CDLL("libX11.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.x.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
        self.x.XGetImage.restype = ctypes.POINTER(XImage)
        plain = [ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, ctypes.c_ulong, ctypes.c_int]
        self.x.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong, *plain]
        self.x.XDestroyImage.argtypes = [ctypes.POINTER(XImage)]
        self.display = self.x.XOpenDisplay(DISPLAY.encode())
        if not self.display:
            sys.exit(f"no screen at {DISPLAY}: is another one running there?")
        self.root = self.x.XDefaultRootWindow(self.display)

    def look(self, box):
        image = self.x.XGetImage(self.display, self.root, *box, 0xFFFFFFFF, 2)
        pixels = ctypes.string_at(image.contents.data, image.contents.bytes_per_line * image.contents.height)
        self.x.XDestroyImage(image)
        return pixels

    def settle(self):
        last, since = self.look(WHOLE), time.time()
        while time.time() - since < 1.2:
            time.sleep(0.05)
            now = self.look(WHOLE)
            if now != last:
                last, since = now, time.time()

    def answer(self, box, act):
        before = self.look(box)
        act()
        start = time.time()
        while time.time() - start < 10:
            if self.look(box) != before:
                return (time.time() - start) * 1e3
            time.sleep(0.002)
        return float("inf")


def main(program, file, times):
    home = tempfile.TemporaryDirectory()
    env = dict(os.environ, DISPLAY=DISPLAY, HOME=home.name, XDG_CONFIG_HOME=home.name)
    env.setdefault("XDG_RUNTIME_DIR", home.name)

    def mouse(*words):
        subprocess.run(["xdotool", *words], env=env, check=True)

    xvfb = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", f"{WIDTH}x{HEIGHT}x24"], stderr=subprocess.DEVNULL)
    time.sleep(1)
    studio = subprocess.Popen([program, "studio", file, "--size", f"{WIDTH}x{HEIGHT}"], env=env)
    try:
        screen = Screen()
        time.sleep(8)
        screen.settle()
        window = subprocess.run(["xdotool", "search", "--name", "Supple"], env=env, capture_output=True, text=True)
        mouse("windowfocus", window.stdout.split()[0])

        def tell(what, found):
            print(f"{what}: median {statistics.median(found):.0f} ms, most {max(found):.0f} ms of {len(found)}")

        for what, box in [("a key, in a panel", PANEL), ("a key, in the view", VIEW)]:
            found = []
            for _ in range(times):
                screen.settle()
                found.append(screen.answer(box, lambda: mouse("key", "d")))
            tell(what, found)
        # Beside the character the view is turned; on it, in the middle of the picture, a bone is dragged.
        for what, (x, y) in [("turning the view", (420, 180)), ("dragging a bone", (586, 245))]:
            mouse("key", "1")
            mouse("mousemove", str(x), str(y))
            screen.settle()
            mouse("mousedown", "1")
            mouse("mousemove", str(x + 8), str(y))
            time.sleep(1)
            found = []
            for i in range(times):
                time.sleep(0.6)
                found.append(screen.answer(VIEW, lambda: mouse("mousemove", str(x + 14 + 6 * i), str(y))))
            mouse("mouseup", "1")
            tell(what, found)
    finally:
        studio.kill()
        xvfb.kill()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 8)
