"""Draw the pictures of the gallery by running the code on its page:  python docs/make_gallery.py"""

import os
import re
from pathlib import Path

from PIL import Image

PAGE = Path(__file__).parent / "gallery.md"
IMAGES = Path(__file__).parent / "images" / "gallery"


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    os.chdir(IMAGES)
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL))
    exec(compile(code, PAGE.name, "exec"), {})
    for path in IMAGES.glob("*.png"):  # a palette is a third of the size
        Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main()
