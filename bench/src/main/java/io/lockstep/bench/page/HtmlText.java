package io.lockstep.bench.page;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the elements of an HTML page and escapes what they show. Used by one thread. */
final class HtmlText {
  private final StringBuilder body = new StringBuilder();

  /** A heading of level 1 to 4 to which links can lead. */
  HtmlText heading(int level, String text) {
    body.append(
        "<h%d id=\"%s\">%s</h%d>\n".formatted(level, identifier(text), escaped(text), level));
    return this;
  }

  /** A link to a heading of this page, as an entry of a list. */
  HtmlText contents(List<String> headings) {
    body.append("<ul class=\"contents\">\n");
    for (String heading : headings) {
      body.append(
          "<li><a href=\"#%s\">%s</a></li>\n".formatted(identifier(heading), escaped(heading)));
    }
    body.append("</ul>\n");
    return this;
  }

  /** A paragraph. */
  HtmlText paragraph(String text) {
    body.append("<p>").append(escaped(text)).append("</p>\n");
    return this;
  }

  /** A command in a line of its own. */
  HtmlText command(String text) {
    body.append("<pre>").append(escaped(text)).append("</pre>\n");
    return this;
  }

  /**
   * A picture beside the page.
   *
   * @param file its name, without a directory
   * @param text for readers who do not see it
   */
  HtmlText picture(String file, String text) {
    body.append("<p><img src=\"%s\" alt=\"%s\"></p>\n".formatted(escaped(file), escaped(text)));
    return this;
  }

  /** A table of two columns, whose first has the names. */
  HtmlText facts(Map<String, String> facts) {
    body.append("<table class=\"facts\">\n");
    facts.forEach(
        (name, value) ->
            body.append(
                "<tr><th>%s</th><td>%s</td></tr>\n".formatted(escaped(name), escaped(value))));
    body.append("</table>\n");
    return this;
  }

  /** A table; cells that begin with a digit or a dash are numbers and stand at the right. */
  HtmlText table(List<String> header, List<List<String>> rows) {
    body.append("<table>\n<thead><tr>");
    header.forEach(cell -> body.append("<th>").append(escaped(cell)).append("</th>"));
    body.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      body.append("<tr>");
      for (String cell : row) {
        body.append(isNumber(cell) ? "<td class=\"number\">" : "<td>")
            .append(escaped(cell))
            .append("</td>");
      }
      body.append("</tr>\n");
    }
    body.append("</tbody>\n</table>\n");
    return this;
  }

  /** Opens a part that readers unfold, such as all of some points. */
  HtmlText beginAll(int count, String what) {
    body.append(
        "<details><summary>All %d %s%s</summary>\n"
            .formatted(count, escaped(what), count == 1 ? "" : "s"));
    return this;
  }

  /** Closes the part that {@link #beginAll} opened. */
  HtmlText endFolded() {
    body.append("</details>\n");
    return this;
  }

  private static boolean isNumber(String cell) {
    return cell.matches("[0-9.\\u2013]+( \\[.*\\])?");
  }

  private static String identifier(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** The whole file. */
  String page(String title) {
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>%s</title>
        <style>
        body { font-family: sans-serif; font-size: 15px; line-height: 1.45; color: #111;
          max-width: 1130px; margin: 1.5em auto; padding: 0 1em; }
        h2 { border-bottom: 2px solid #111; margin-top: 2.2em; }
        h3 { margin-top: 1.8em; }
        img { max-width: 100%%; height: auto; border: 1px solid #ccc; }
        table { border-collapse: collapse; font-size: 13px; margin: 0.8em 0; }
        th, td { border: 1px solid #bbb; padding: 2px 7px; text-align: left; vertical-align: top; }
        thead th { background: #eee; }
        td.number { text-align: right; white-space: nowrap; }
        table.facts td { white-space: pre-wrap; }
        pre { background: #f3f3f3; padding: 0.5em; overflow-x: auto; }
        summary { cursor: pointer; }
        @media print { h3, img, tr { break-inside: avoid; } }
        </style>
        </head>
        <body>
        %s</body>
        </html>
        """
        .formatted(escaped(title), body);
  }
}
