"""Measures: a file each, with TITLE, MORE_IS_BETTER and measure(problem, answer) → a number, or None without meaning.

answer has "words" (topics × ten), "topics" (a topic for each document, or None), "seconds" and "MB".
"""
