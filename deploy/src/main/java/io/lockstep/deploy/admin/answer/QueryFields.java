package io.lockstep.deploy.admin.answer;

import io.lockstep.core.resource.Shown;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The fields of a query, checked. Immutable. */
public final class QueryFields {
  private final Map<String, String> given;

  private QueryFields(Map<String, String> given) {
    this.given = given;
  }

  /** A field of a query is wrong. */
  public static final class WrongQuery extends Exception {
    private static final long serialVersionUID = 1;

    private final String field;
    private final String remedy;

    /** Names the field, what is wrong, and what to give. */
    public WrongQuery(String field, String error, String remedy) {
      super(error, null, false, false);
      this.field = field;
      this.remedy = remedy;
    }

    /** The problem as an answer. */
    public ResourceResponse response() {
      return ResourceResponse.problem(400, field, String.valueOf(getMessage()), remedy);
    }
  }

  /**
   * The fields of a query.
   *
   * @param names of all that it may have
   * @throws WrongQuery naming a field that it may not have
   */
  public static QueryFields of(Map<String, String> given, List<String> names) throws WrongQuery {
    for (String name : given.keySet()) {
      if (!names.contains(name)) {
        throw new WrongQuery(
            Shown.text(name),
            "there is no '" + Shown.text(name) + "' in this query",
            "one of " + String.join(", ", names));
      }
    }
    return new QueryFields(given);
  }

  /**
   * A text; empty where it is left out.
   *
   * @param allowed completes "give ..."
   */
  public String text(String name, Pattern pattern, String allowed) throws WrongQuery {
    String value = given.getOrDefault(name, "");
    if (!value.isEmpty() && !pattern.matcher(value).matches()) {
      throw new WrongQuery(
          name, name + ": '" + Shown.text(value) + "' is not allowed", "give " + allowed);
    }
    return value;
  }

  /** A whole number within bounds; the usual one where it is left out. */
  public long whole(String name, long least, long most, long usual) throws WrongQuery {
    String allowed = "a whole number from " + least + " to " + most;
    String value = text(name, Pattern.compile("[0-9]{1,18}"), allowed);
    if (value.isEmpty()) {
      return usual;
    }
    long number = Long.parseLong(value);
    if (number < least || number > most) {
      throw new WrongQuery(name, name + ": " + value + " is out of bounds", "give " + allowed);
    }
    return number;
  }
}
