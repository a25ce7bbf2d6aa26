package io.lockstep.deploy.manual;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The page of one command, with its subcommands as parts of it. Any thread. */
final class CommandPage {
  /** A line of a description that explains one word, such as a field of a resource. */
  private static final Pattern EXPLAINED = Pattern.compile("  ([A-Za-z][A-Za-z0-9.-]*): (.*)");

  /** Options that each command has; pages show them once. */
  private static final List<String> USUAL = List.of("--help", "--version");

  /** Wider than each synopsis, in characters. */
  private static final int UNBROKEN = 2_000;

  /** A document writes the script of a checkout; where a page is read it is in the path. */
  private static final String OF_A_CHECKOUT = "./lockstep";

  private CommandPage() {}

  /** The commands that people see, each once, in their order. */
  static List<CommandLine> visible(CommandLine command) {
    return command.getSubcommands().values().stream()
        .distinct()
        .filter(one -> !one.getCommandSpec().usageMessage().hidden())
        .toList();
  }

  /** The name of the page, such as {@code lockstep-switch}. */
  static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  /** What a command does: the first sentence of its description, without the dot. */
  static String summary(CommandLine command) {
    String description =
        String.join(" ", plain(command.getCommandSpec().usageMessage().description()));
    String sentence = description.split("(?<=[^.]\\.)\\s|: ", 2)[0].strip();
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }

  /** The text of the page in roff. */
  static String of(CommandLine command, RoffPage.Edition edition) {
    RoffPage page = new RoffPage(name(command), 1, edition);
    String summary = summary(command);
    page.section("name")
        .roff(
            RoffPage.escaped(name(command))
                + " \\- "
                + RoffPage.escaped(
                    summary.isEmpty()
                        ? summary
                        : summary.substring(0, 1).toLowerCase(Locale.ROOT) + summary.substring(1)));
    List<CommandLine> nested = visible(command);
    page.section("synopsis");
    for (CommandLine one : nested.isEmpty() ? List.of(command) : nested) {
      page.paragraph(synopsis(one));
    }
    CommandSpec spec = command.getCommandSpec();
    page.section("description");
    prose(page, plain(spec.usageMessage().description()));
    if (spec.aliases().length > 0) {
      page.paragraph(
          "Another name of it is " + RoffPage.bold(String.join(", ", spec.aliases())) + ".");
    }
    arguments(page, spec, true);
    for (CommandLine one : nested) {
      page.section(one.getCommandSpec().qualifiedName());
      prose(page, plain(one.getCommandSpec().usageMessage().description()));
      arguments(page, one.getCommandSpec(), false);
      prose(page, plain(one.getCommandSpec().usageMessage().footer()));
    }
    List<String> footer = plain(spec.usageMessage().footer());
    if (footer.stream().anyMatch(line -> !line.isBlank())) {
      page.section("notes");
      prose(page, footer);
    }
    page.section("see also").roff("\\fBlockstep\\fR(1), \\fBlockstep.yaml\\fR(5)");
    return page.text();
  }

  private static String synopsis(CommandLine command) {
    // picocli breaks lines within words; the reader's man breaks them between words.
    command.getCommandSpec().usageMessage().width(UNBROKEN);
    String all = command.getHelp().synopsis(0).replaceAll("\\s+", " ").strip();
    String name = command.getCommandSpec().qualifiedName();
    return RoffPage.bold(name) + RoffPage.escaped(all.substring(name.length()));
  }

  private static void arguments(RoffPage page, CommandSpec spec, boolean usualToo) {
    List<PositionalParamSpec> positionals =
        spec.positionalParameters().stream().filter(one -> !one.hidden()).toList();
    List<OptionSpec> options =
        spec.options().stream()
            .filter(one -> !one.hidden())
            .filter(one -> usualToo || !USUAL.contains(one.longestName()))
            .sorted(Comparator.comparing(one -> one.longestName().replaceFirst("^-+", "")))
            .toList();
    if (usualToo && positionals.size() + options.size() > 0) {
      page.section("options");
    }
    for (PositionalParamSpec one : positionals) {
      page.item(RoffPage.italic(one.paramLabel()), description(one));
    }
    for (OptionSpec one : options) {
      page.item(tag(one), description(one));
    }
  }

  /** Such as {@code -o, --output=FORMAT}. */
  private static String tag(OptionSpec option) {
    List<String> names = new ArrayList<>();
    Stream.of(option.names())
        .sorted(Comparator.comparing(String::length))
        .forEach(name -> names.add(RoffPage.bold(name)));
    String joined = String.join(", ", names);
    return option.arity().max() == 0 ? joined : joined + "=" + RoffPage.italic(option.paramLabel());
  }

  private static String description(ArgSpec argument) {
    return RoffPage.escaped(String.join(" ", plain(argument.description())));
  }

  /** The lines without the marks of picocli, which formats them as printf does. */
  private static List<String> plain(String[] described) {
    List<String> lines = new ArrayList<>();
    for (String each : described) {
      String line;
      try {
        line = each.contains("%") ? String.format(Locale.ROOT, each) : each;
      } catch (IllegalFormatException takenAsItIs) {
        // picocli takes it as it is, too.
        line = each;
      }
      Ansi.OFF.string(line).replace(OF_A_CHECKOUT, "lockstep").lines().forEach(lines::add);
    }
    return lines;
  }

  /** Sentences become paragraphs; lines that begin with two blanks are lists or examples. */
  private static void prose(RoffPage page, List<String> lines) {
    List<String> sentences = new ArrayList<>();
    List<String> examples = new ArrayList<>();
    for (String line : lines) {
      Matcher explained = EXPLAINED.matcher(line);
      if (explained.matches()) {
        end(page, sentences, examples);
        page.item(RoffPage.bold(explained.group(1)), RoffPage.escaped(explained.group(2)));
      } else if (line.startsWith("  ")) {
        end(page, sentences, List.of());
        examples.add(line);
      } else if (line.isBlank()) {
        end(page, sentences, examples);
      } else {
        end(page, List.of(), examples);
        sentences.add(line.strip());
      }
    }
    end(page, sentences, examples);
  }

  /** Writes what was gathered and empties it. */
  private static void end(RoffPage page, List<String> sentences, List<String> examples) {
    if (!sentences.isEmpty()) {
      page.paragraph(RoffPage.escaped(String.join(" ", sentences)));
      sentences.clear();
    }
    if (!examples.isEmpty()) {
      page.verbatim(examples);
      examples.clear();
    }
  }
}
