package io.lockstep.core.app;

import io.lockstep.store.Entry;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Something that an application shows on the command line: {@code lockstep app APPLICATION NOUN}.
 * Its functions are pure, as the application is, and only read: what they get is immutable, and the
 * answer is a value. The node calls them on a thread for one question, beside its own work, and
 * gives them some seconds.
 *
 * @param name unique in its application; matches {@link #NAME}
 * @param help one line: completes "shows ..."
 * @param arguments in the order of the command line, required ones first
 * @param reads which ranges of the application's own tables the answer is made from, by the
 *     arguments' names and texts; at most {@link #MAX_RANGES}
 * @param answer what is shown; where it throws or gives null, the node counts a failure of the
 *     application
 */
public record Noun(
    String name,
    String help,
    List<NounArgument> arguments,
    Function<Map<String, String>, List<TableRange>> reads,
    Function<NounInput, Rows> answer) {

  /** What {@link #name} must match. */
  public static final String NAME = "[a-z][a-z0-9-]{0,31}";

  /** Arguments at most. */
  public static final int MAX_ARGUMENTS = 16;

  /** Ranges at most. */
  public static final int MAX_RANGES = 2;

  private static final int MAX_HELP_CHARS = 200;

  public Noun {
    arguments = List.copyOf(arguments);
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException("'" + name + "' is no noun: it must match " + NAME);
    }
    if (help.isBlank() || help.length() > MAX_HELP_CHARS || help.matches("(?s).*\\p{Cc}.*")) {
      throw new IllegalArgumentException(
          name + ": its help is one line of at most " + MAX_HELP_CHARS + " characters");
    }
    if (arguments.size() > MAX_ARGUMENTS) {
      throw new IllegalArgumentException(name + ": at most " + MAX_ARGUMENTS + " arguments");
    }
    Set<String> names = new HashSet<>();
    boolean mayBeLeftOut = false;
    for (NounArgument argument : arguments) {
      if (!names.add(argument.name())) {
        throw new IllegalArgumentException(name + ": argument " + argument.name() + " twice");
      }
      if (mayBeLeftOut && argument.isRequired()) {
        throw new IllegalArgumentException(
            name + ": " + argument.name() + " is required, but stands behind one that is not");
      }
      mayBeLeftOut = !argument.isRequired();
    }
  }

  /** A noun without arguments that shows what the node knows of the network. */
  public static Noun ofNetwork(String name, String help, Function<NounInput, Rows> answer) {
    return new Noun(name, help, List.of(), arguments -> List.of(), answer);
  }

  /**
   * A noun without arguments that shows each entry of a table as a row.
   *
   * @param columns names of the columns
   * @param row the cells of an entry, one for each column
   */
  public static Noun ofTable(
      String name,
      String help,
      String table,
      List<String> columns,
      Function<Entry, List<String>> row) {
    Rows.of(columns); // a wrong name is the author's mistake, and shows before the noun is asked
    return new Noun(
        name,
        help,
        List.of(),
        arguments -> List.of(TableRange.all(table)),
        input -> {
          Rows.Builder rows = Rows.of(columns);
          input.tables().get(0).entries().forEach(entry -> rows.add(row.apply(entry).toArray()));
          return rows.build();
        });
  }
}
