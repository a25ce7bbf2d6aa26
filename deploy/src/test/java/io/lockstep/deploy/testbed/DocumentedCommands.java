package io.lockstep.deploy.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The commands of {@code lockstep} that a document prints, and whether the command line would take
 * them. Nothing is run.
 */
public final class DocumentedCommands {
  /** The program where a shell would look for it, then its first word. */
  private static final Pattern LINE =
      Pattern.compile(
          "(?:^|[;|(&]|\\bdo|\\bcmd:|#|\\w=\\S+|\")\\s*(?:\\./)?lockstep (?=[a-z])(.*)");

  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");

  /** A word of a shell; what is quoted stays together. */
  private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+");

  /**
   * A command as it stands in a document.
   *
   * @param place document and line
   * @param words behind the program's name, at least one
   * @param complete whether it could be typed as it is; else it is named, with some of its words
   */
  public record Written(String place, List<String> words, boolean complete) {}

  private DocumentedCommands() {}

  /** Those of the shell blocks and the text of a document in Markdown. */
  public static List<Written> ofMarkdown(Path document) throws IOException {
    List<Written> commands = new ArrayList<>();
    boolean inBlock = false;
    boolean isPicture = false;
    String begun = "";
    int number = 0;
    for (String line : Files.readAllLines(document)) {
      number++;
      String place = document.getFileName() + ":" + number;
      if (line.strip().startsWith("```")) {
        inBlock = !inBlock;
        isPicture = line.contains("mermaid");
      } else if (!inBlock) {
        SPAN.matcher(line)
            .results()
            .map(span -> span.group(1))
            .filter(span -> span.matches("(\\./)?lockstep [a-z].*"))
            .forEach(
                span -> commands.add(new Written(place, words(after(span, "lockstep ")), false)));
      } else if (line.endsWith("\\")) {
        begun += line.substring(0, line.length() - 1);
      } else if (!isPicture) {
        ofLine(place, begun + line).ifPresent(commands::add);
        begun = "";
      }
    }
    return commands;
  }

  /** Those of the lines and comments of another file. */
  public static List<Written> ofLines(Path file) throws IOException {
    List<Written> commands = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      ofLine(file.getFileName() + ":" + number, line).ifPresent(commands::add);
    }
    return commands;
  }

  /** The parts of tables and sentences that begin with a command and have more words. */
  public static List<Written> namedIn(Path document, Set<String> names) throws IOException {
    List<Written> commands = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(document)) {
      number++;
      String place = document.getFileName() + ":" + number;
      SPAN.matcher(line)
          .results()
          .map(span -> words(span.group(1)))
          .filter(words -> words.size() > 1 && names.contains(words.get(0)))
          .forEach(words -> commands.add(new Written(place, words, false)));
    }
    return commands;
  }

  private static Optional<Written> ofLine(String place, String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.find()) {
      return Optional.empty();
    }
    String command = matcher.group(1);
    return Optional.of(
        new Written(place, words(command), !command.contains("...") && !command.contains("[")));
  }

  private static String after(String text, String part) {
    return text.substring(text.indexOf(part) + part.length());
  }

  /** Up to what ends a command for a shell. */
  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      String word = matcher.group();
      if (word.matches("(#|[|<>&;]|[0-9]>).*")) {
        break;
      }
      boolean last = word.matches(".*[;)]");
      words.add((last ? word.substring(0, word.length() - 1) : word).replaceAll("[\"']", ""));
      if (last) {
        break;
      }
    }
    return words;
  }

  /** What is wrong with a command; empty where the command line takes it. */
  public static Optional<String> problem(CommandLine line, Written written) {
    CommandLine command = line;
    List<String> rest = new ArrayList<>(written.words());
    while (!rest.isEmpty() && command.getSubcommands().containsKey(rest.get(0))) {
      command = Objects.requireNonNull(command.getSubcommands().get(rest.remove(0)));
    }
    if (written.complete()) {
      try {
        line.parseArgs(written.words().toArray(String[]::new));
        return Optional.empty();
      } catch (ParameterException e) {
        return Optional.of(written.place() + ": " + written.words() + ": " + e.getMessage());
      }
    }
    if (!rest.isEmpty() && rest.get(0).matches("[a-z-]+") && !takes(command)) {
      return unknown(written, rest.get(0));
    }
    for (String word : rest) {
      String option = word.replaceAll("[\\[\\],.]|=.*", "");
      if (option.matches("--?[a-z][a-z-]*") && !isOption(command, option)) {
        return unknown(written, option);
      }
    }
    return Optional.empty();
  }

  /** Whether a word behind the command may be something else than a command. */
  private static boolean takes(CommandLine command) {
    return !command.getCommandSpec().positionalParameters().isEmpty()
        || command.getSubcommands().isEmpty();
  }

  private static boolean isOption(CommandLine command, String option) {
    return command.getCommandSpec().findOption(option) != null;
  }

  private static Optional<String> unknown(Written written, String word) {
    return Optional.of(written.place() + ": " + written.words() + ": unknown: " + word);
  }
}
