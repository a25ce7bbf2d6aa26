package io.lockstep.deploy.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The lines of a Markdown document behind one of its headings, up to the next heading, and how they
 * become roff. It knows what our documents use: paragraphs, lists, tables and fenced lines.
 */
final class MarkdownPart {
  /** Words that only make sense where the document can be followed. */
  private static final Pattern POINTER = Pattern.compile("\\s*\\(\\[below]\\([^)]*\\)\\)");

  private static final Pattern HEADING = Pattern.compile("#+ .*");
  private static final Pattern RULER = Pattern.compile("\\|[ |:-]+\\|");

  /** A bar that separates cells; one behind a backslash belongs to the text. */
  private static final Pattern BAR = Pattern.compile("(?<!\\\\)\\|");

  private final List<String> lines;

  private MarkdownPart(List<String> lines) {
    this.lines = lines;
  }

  /**
   * The part behind a heading.
   *
   * @throws IllegalArgumentException where the document has no such heading
   */
  static MarkdownPart of(List<String> document, String title) {
    int at = 0;
    while (at < document.size() && !document.get(at).matches("#+ " + Pattern.quote(title))) {
      at++;
    }
    if (at == document.size()) {
      throw new IllegalArgumentException("the document has no heading '" + title + "'");
    }
    List<String> part = new ArrayList<>();
    boolean fenced = false;
    for (String line : document.subList(at + 1, document.size())) {
      fenced ^= line.startsWith("```");
      if (!fenced && HEADING.matcher(line).matches()) {
        break;
      }
      part.add(line.replace("./lockstep ", "lockstep "));
    }
    return new MarkdownPart(part);
  }

  /** Adds the part to a page. */
  void writeTo(RoffPage page) {
    int at = 0;
    while (at < lines.size()) {
      String line = lines.get(at);
      int end;
      if (line.startsWith("```")) {
        end = at + 1;
        while (end < lines.size() && !lines.get(end).startsWith("```")) {
          end++;
        }
        page.verbatim(lines.subList(at + 1, end).stream().map(each -> "    " + each).toList());
        end++;
      } else if (line.startsWith("|")) {
        end = endOf(at, "|");
        table(page, lines.subList(at, end));
      } else if (line.isBlank()) {
        end = at + 1;
      } else {
        end = endOfText(at);
        text(page, lines.subList(at, end));
      }
      at = end;
    }
  }

  private int endOf(int from, String beginning) {
    int end = from;
    while (end < lines.size() && lines.get(end).startsWith(beginning)) {
      end++;
    }
    return end;
  }

  /** A paragraph or an item of a list ends before what begins with a mark of its own. */
  private int endOfText(int from) {
    int end = from + 1;
    while (end < lines.size()
        && !lines.get(end).isBlank()
        && !lines.get(end).matches("(- |\\||```).*")) {
      end++;
    }
    return end;
  }

  private static void text(RoffPage page, List<String> lines) {
    String joined =
        POINTER
            .matcher(String.join(" ", lines.stream().map(String::strip).toList()))
            .replaceAll("");
    if (joined.startsWith("- ")) {
      page.item("\\(bu", RoffPage.marked(joined.substring(2)));
    } else {
      page.paragraph(RoffPage.marked(joined));
    }
  }

  /** The first cell of a row is what is explained; cells between it and the last are named. */
  private static void table(RoffPage page, List<String> rows) {
    List<String> head = cells(rows.get(0));
    for (String row : rows.subList(1, rows.size())) {
      if (RULER.matcher(row).matches()) {
        continue;
      }
      List<String> cells = cells(row);
      StringBuilder meaning = new StringBuilder();
      for (int i = 1; i < cells.size() - 1; i++) {
        meaning.append(named(head.get(i), cells.get(i)));
      }
      meaning.append(cells.get(cells.size() - 1));
      page.item(RoffPage.marked(cells.get(0)), RoffPage.marked(meaning.toString().strip()));
    }
  }

  /** A cell with what its column is, as a sentence; some words say so themselves. */
  private static String named(String column, String cell) {
    if (cell.isEmpty()) {
      return "";
    }
    String sentence = cell.equals("required") ? cell : column + ": " + cell;
    return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1) + ". ";
  }

  private static List<String> cells(String row) {
    String[] parts = BAR.split(row.strip().replaceAll("^\\||\\|$", ""), -1);
    return List.of(parts).stream()
        .map(part -> POINTER.matcher(part.strip().replace("\\|", "|")).replaceAll(""))
        .toList();
  }
}
