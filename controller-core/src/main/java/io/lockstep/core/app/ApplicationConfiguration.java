package io.lockstep.core.app;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What the node's file says of an application, checked against the keys of its provider and with
 * usual values filled in. Immutable.
 */
public final class ApplicationConfiguration {
  private final Map<String, ConfigurationKey> keys;
  private final Map<String, Object> values;

  private ApplicationConfiguration(Map<String, ConfigurationKey> keys, Map<String, Object> values) {
    this.keys = Map.copyOf(keys);
    this.values = Map.copyOf(values);
  }

  /**
   * The configuration of an application of which the file says nothing.
   *
   * @throws IllegalArgumentException where a key is declared twice
   */
  public static ApplicationConfiguration usual(List<ConfigurationKey> keys) {
    Map<String, ConfigurationKey> byName = new HashMap<>();
    Map<String, Object> values = new HashMap<>();
    for (ConfigurationKey key : keys) {
      if (byName.put(key.name(), key) != null) {
        throw new IllegalArgumentException("the key '" + key.name() + "' is declared twice");
      }
      values.put(key.name(), key.usualValue());
    }
    return new ApplicationConfiguration(byName, values);
  }

  /**
   * The same with another number.
   *
   * @throws IllegalArgumentException where the key is no number's, or the number out of its bounds
   */
  public ApplicationConfiguration with(String key, int value) {
    ConfigurationKey.Whole whole = key(key, ConfigurationKey.Whole.class);
    if (value < whole.least() || value > whole.most()) {
      throw notAllowed(whole, String.valueOf(value));
    }
    return replaced(key, value);
  }

  /**
   * The same with another text.
   *
   * @throws IllegalArgumentException where the key is no text's, or does not allow this one
   */
  public ApplicationConfiguration with(String key, String value) {
    ConfigurationKey.Text text = key(key, ConfigurationKey.Text.class);
    if (!text.pattern().matcher(value).matches()) {
      throw notAllowed(text, value);
    }
    return replaced(key, value);
  }

  /**
   * The same with another list of texts.
   *
   * @throws IllegalArgumentException where the key is no list's, or the list has a value that the
   *     key does not allow, or one twice, or too many
   */
  public ApplicationConfiguration with(String key, List<String> value) {
    ConfigurationKey.Texts texts = key(key, ConfigurationKey.Texts.class);
    for (String each : value) {
      if (!texts.pattern().matcher(each).matches()) {
        throw notAllowed(texts, each);
      }
    }
    if (Set.copyOf(value).size() != value.size() || value.size() > ConfigurationKey.Texts.MOST) {
      throw new IllegalArgumentException(
          key + ": give each value once, and " + ConfigurationKey.Texts.MOST + " at most");
    }
    return replaced(key, List.copyOf(value));
  }

  private ApplicationConfiguration replaced(String key, Object value) {
    Map<String, Object> next = new HashMap<>(values);
    next.put(key, value);
    return new ApplicationConfiguration(keys, next);
  }

  private static IllegalArgumentException notAllowed(ConfigurationKey key, String value) {
    return new IllegalArgumentException(
        key.name() + ": '" + value + "' is not allowed; give " + key.allowed());
  }

  private <K extends ConfigurationKey> K key(String name, Class<K> kind) {
    ConfigurationKey key = keys.get(name);
    if (!kind.isInstance(key)) {
      throw new IllegalArgumentException(
          "no key '" + name + "' of kind " + kind.getSimpleName() + " is declared");
    }
    return kind.cast(key);
  }

  /** The value of a key that is declared as {@link ConfigurationKey.Whole}. */
  public int whole(String key) {
    key(key, ConfigurationKey.Whole.class);
    return Objects.requireNonNull((Integer) values.get(key));
  }

  /** The value of a key that is declared as {@link ConfigurationKey.Text}. */
  public String text(String key) {
    key(key, ConfigurationKey.Text.class);
    return String.valueOf(values.get(key));
  }

  /** The values of a key that is declared as {@link ConfigurationKey.Texts}. */
  public List<String> texts(String key) {
    key(key, ConfigurationKey.Texts.class);
    return ((List<?>) values.getOrDefault(key, List.of())).stream().map(String::valueOf).toList();
  }
}
