#!/bin/sh
# From a messy table to topics, a table of shares with dates, and a page with figures, in the shell.
set -e
cd "${1:-.}"

# Fields have other names here; two languages; words of our own to leave out.
cotopics fit posts.csv -k 8 --text-field inhalt --id-field nr --date-field datum --label-field sprache \
    --html --drop-duplicates --min-length 1 --stop-words english,german --stop-words +https,example -o posts.cotopics

# Every post with its date, its language and the share of each topic.
cotopics transform posts.cotopics posts.csv --text-field inhalt --id-field nr --date-field datum --label-field sprache \
    -o shares.csv

# One page that opens in any browser: topics, their words, documents, and topics over time.
cotopics report posts.cotopics posts.csv --text-field inhalt --id-field nr --date-field datum --label-field sprache \
    -o report.html
