package io.lockstep.core.app;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fields with their values: texts, whole numbers, flags and lists of texts, in the order in which
 * they are shown. Immutable.
 */
public final class ResourceValues {
  /** No fields. */
  public static final ResourceValues NONE = new ResourceValues(Map.of());

  private final Map<String, Object> values;

  private ResourceValues(Map<String, Object> values) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** Begins values. */
  public static Builder builder() {
    return new Builder();
  }

  /** Whether the field is there; one that may be left out may not be. */
  public boolean has(String field) {
    return values.containsKey(field);
  }

  /**
   * A text.
   *
   * @throws IllegalArgumentException where there is no such field of this kind
   */
  public String text(String field) {
    return value(field, String.class);
  }

  /**
   * A whole number.
   *
   * @throws IllegalArgumentException where there is no such field of this kind
   */
  public long whole(String field) {
    return value(field, Long.class);
  }

  /**
   * True or false.
   *
   * @throws IllegalArgumentException where there is no such field of this kind
   */
  public boolean flag(String field) {
    return value(field, Boolean.class);
  }

  /**
   * A list of texts.
   *
   * @throws IllegalArgumentException where there is no such field of this kind
   */
  public List<String> texts(String field) {
    List<?> texts = value(field, List.class);
    return texts.stream().map(String::valueOf).toList();
  }

  private <T> T value(String field, Class<T> type) {
    Object value = values.get(field);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "no field '" + field + "' of type " + type.getSimpleName() + ": " + values.keySet());
    }
    return type.cast(value);
  }

  /** All values, as JSON has them: {@link String}, {@link Long}, {@link Boolean} and lists. */
  public Map<String, Object> asMap() {
    return values;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ResourceValues them && values.equals(them.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }

  /** Values that come one after the other. Used by one thread. */
  public static final class Builder {
    private final Map<String, Object> values = new LinkedHashMap<>();

    private Builder() {}

    /** Adds a text. */
    public Builder text(String field, String value) {
      return add(field, value);
    }

    /** Adds a whole number. */
    public Builder whole(String field, long value) {
      return add(field, value);
    }

    /** Adds true or false. */
    public Builder flag(String field, boolean value) {
      return add(field, value);
    }

    /** Adds a list of texts. */
    public Builder texts(String field, List<String> value) {
      return add(field, List.copyOf(value));
    }

    /**
     * Adds a value that {@link ResourceField#checked} gave.
     *
     * @throws IllegalArgumentException where the field is there already, or the value is of no kind
     *     that fields have
     */
    public Builder add(String field, Object value) {
      if (!(value instanceof String
          || value instanceof Long
          || value instanceof Boolean
          || value instanceof List)) {
        throw new IllegalArgumentException(field + ": no value of a field: " + value);
      }
      if (values.put(field, value) != null) {
        throw new IllegalArgumentException("the field '" + field + "' is there twice");
      }
      return this;
    }

    /** The values so far. */
    public ResourceValues build() {
      return new ResourceValues(values);
    }
  }
}
