"""Formulas as MathML, made when the site is built: browsers draw it themselves, without scripts or fonts."""

from docutils import nodes
from latex2mathml.converter import convert


def _visit_inline(translator, node):
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _visit_block(translator, node):
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>\n')
    raise nodes.SkipNode


inline = (_visit_inline, None)
block = (_visit_block, None)
