package io.lockstep.core.app;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How a resource is called, and what its items are made of.
 *
 * @param name of the collection, in the plural: its path is {@code /api/v1/NAME}
 * @param item name of one item, in the singular: the command is {@code lockstep ITEM}
 * @param help one line: completes "shows and changes ..."
 * @param idPattern what a whole id must match, besides {@link #ID}
 * @param idAllowed what an id is, for the operator; completes "give ..."
 * @param fields that an operator writes, in the order in which they are shown
 * @param changes what can be done to an item
 */
public record ResourceDescription(
    String name,
    String item,
    String help,
    Pattern idPattern,
    String idAllowed,
    List<ResourceField> fields,
    Set<Change> changes) {

  /** What {@link #name} and {@link #item} must match. */
  public static final String NAME = "[a-z][a-z0-9-]{0,31}";

  /** What each id must match: it is one segment of a path. */
  public static final String ID = "(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}";

  /** Fields at most. */
  public static final int MAX_FIELDS = 32;

  private static final Set<String> RESERVED = Set.of("id", "version", "state");
  private static final int MAX_HELP_CHARS = 200;

  /** What can be done to an item. */
  public enum Change {
    /** {@link ResourceChange.Add}. */
    ADD,
    /** {@link ResourceChange.Set}. */
    SET,
    /** {@link ResourceChange.Remove}. */
    REMOVE
  }

  public ResourceDescription {
    fields = List.copyOf(fields);
    changes = Set.copyOf(changes);
    if (!name.matches(NAME) || !item.matches(NAME) || name.equals(item)) {
      throw new IllegalArgumentException(
          "'" + name + "', '" + item + "': two names that match " + NAME + " are needed");
    }
    if (help.isBlank() || help.length() > MAX_HELP_CHARS || help.matches("(?s).*\\p{Cc}.*")) {
      throw new IllegalArgumentException(
          name + ": its help is one line of at most " + MAX_HELP_CHARS + " characters");
    }
    if (fields.size() > MAX_FIELDS) {
      throw new IllegalArgumentException(name + ": at most " + MAX_FIELDS + " fields");
    }
    Set<String> names = new HashSet<>(RESERVED);
    for (ResourceField field : fields) {
      if (!names.add(field.name())) {
        throw new IllegalArgumentException(
            name + ": the field '" + field.name() + "' is there twice, or has a reserved name");
      }
    }
  }

  /** Whether a text can be the id of an item. */
  public boolean allowsId(String id) {
    return id.matches(ID) && idPattern.matcher(id).matches();
  }
}
