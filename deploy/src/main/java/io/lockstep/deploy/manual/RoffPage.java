package io.lockstep.deploy.manual;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Builds one page in the macros of man(7), as groff and mandoc read them. Texts are plain, or have
 * the marks of Markdown where a method says so. One thread.
 */
final class RoffPage {
  /** Code, bold text and links, as our documents write them. */
  private static final Pattern MARK =
      Pattern.compile("`([^`]+)`|\\*\\*([^*]+)\\*\\*|\\[([^\\]]+)]\\([^)]*\\)");

  private final StringBuilder text = new StringBuilder();

  /**
   * What the head and the foot of a page show.
   *
   * @param date of the content, such as 2026-11-20
   * @param source the product with its version
   */
  record Edition(String date, String source) {}

  /**
   * A page without sections.
   *
   * @param name such as {@code lockstep-node}
   * @param section 1 for commands, 5 for files
   */
  RoffPage(String name, int section, Edition edition) {
    line(
        ".TH %s %d %s %s \"Lockstep Manual\""
            .formatted(
                quoted(name.toUpperCase(Locale.ROOT)),
                section,
                quoted(edition.date()),
                quoted(edition.source())));
    // Left-aligned and without hyphens, since names must not be torn.
    line(".nh");
    line(".ad l");
  }

  private void line(String roff) {
    text.append(roff).append('\n');
  }

  /** A text as an argument of a macro. */
  private static String quoted(String plain) {
    return '"' + escaped(plain).replace("\"", "\\(dq") + '"';
  }

  /** A text in which nothing is an instruction to roff, and which keeps its ASCII characters. */
  static String escaped(String plain) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      switch (c) {
        case '\\' -> escaped.append("\\e");
        case '-' -> escaped.append("\\-");
        case '\'' -> escaped.append("\\(aq");
        case '`' -> escaped.append("\\(ga");
        case '^' -> escaped.append("\\(ha");
        case '~' -> escaped.append("\\(ti");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /** A text with marks of Markdown: code and bold text become bold, links their text. */
  static String marked(String markdown) {
    StringBuilder roff = new StringBuilder();
    Matcher matcher = MARK.matcher(markdown);
    int from = 0;
    while (matcher.find()) {
      roff.append(escaped(markdown.substring(from, matcher.start())));
      if (matcher.group(3) == null) {
        String bold = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        roff.append(bold(bold));
      } else {
        roff.append(marked(matcher.group(3)));
      }
      from = matcher.end();
    }
    return roff.append(escaped(markdown.substring(from))).toString();
  }

  static String bold(String plain) {
    return "\\fB" + escaped(plain) + "\\fR";
  }

  static String italic(String plain) {
    return "\\fI" + escaped(plain) + "\\fR";
  }

  RoffPage section(String title) {
    line(".SH " + quoted(title.toUpperCase(Locale.ROOT)));
    return this;
  }

  RoffPage subsection(String title) {
    line(".SS " + quoted(title));
    return this;
  }

  /** Text in roff, on lines of its own: a paragraph's, or what follows a heading. */
  RoffPage roff(String roff) {
    // A dot at the beginning would be a macro; an apostrophe is escaped already.
    line(roff.startsWith(".") ? "\\&" + roff : roff);
    return this;
  }

  /** A new paragraph, in roff. */
  RoffPage paragraph(String roff) {
    line(".PP");
    return roff(roff);
  }

  /** A tag, and what it means, both in roff. */
  RoffPage item(String tag, String meaning) {
    line(".TP");
    return roff(tag).roff(meaning.isEmpty() ? "\\&" : meaning);
  }

  /** Plain lines as they stand. */
  RoffPage verbatim(List<String> lines) {
    line(".PP");
    line(".nf");
    for (String each : lines) {
      roff(escaped(each));
    }
    line(".fi");
    return this;
  }

  String text() {
    return text.toString();
  }
}
