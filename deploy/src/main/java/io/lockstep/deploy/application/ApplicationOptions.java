package io.lockstep.deploy.application;

import com.fasterxml.jackson.databind.node.TextNode;
import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.ConfigurationKey;
import io.lockstep.core.state.ErrorLine;
import io.lockstep.yaml.Suggestion;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a node's file says under {@code applications}, from options {@code NAME.KEY=VALUE} of a
 * command line. The values of a list are separated by commas. Pure.
 */
public final class ApplicationOptions {
  private static final String FORM =
      "\n"
          + "    remedy: write NAME.KEY=VALUE, as the node's file has applications: {NAME: {KEY:"
          + " VALUE}}";

  private ApplicationOptions() {}

  /**
   * The lines of the file; empty where there are no options.
   *
   * @param usual options that hold where {@code given} has none for their key
   * @throws IllegalArgumentException where one is not allowed; the message is for the operator and
   *     names the option
   */
  public static String section(ApplicationCatalog catalog, List<String> usual, List<String> given) {
    Map<String, ApplicationProvider> providers = new LinkedHashMap<>();
    catalog.providers().forEach(provider -> providers.put(provider.name(), provider));
    Map<String, Map<String, String>> keys = new TreeMap<>();
    Map<String, ApplicationConfiguration> values = new TreeMap<>();
    usual.forEach(option -> read(option, providers, values, keys));
    Set<String> seen = new HashSet<>();
    for (String option : given) {
      if (!seen.add(option.split("=", 2)[0])) {
        throw wrong(option, "its key is given twice", "give each key once, a list with commas");
      }
      read(option, providers, values, keys);
    }
    for (ApplicationProvider provider : providers.values()) {
      ApplicationConfiguration configuration = values.get(provider.name());
      if (configuration != null) {
        requireMade(provider, configuration);
      }
    }
    return yaml(keys);
  }

  private static void read(
      String option,
      Map<String, ApplicationProvider> providers,
      Map<String, ApplicationConfiguration> values,
      Map<String, Map<String, String>> keys) {
    int equals = option.indexOf('=');
    int dot = option.indexOf('.');
    if (dot < 1 || equals < dot + 2) {
      throw new IllegalArgumentException("'" + option + "' has no key" + FORM);
    }
    String name = option.substring(0, dot);
    String key = option.substring(dot + 1, equals);
    ApplicationProvider provider = providers.get(name);
    if (provider == null) {
      throw wrong(option, "there is no application '" + name + "'", near(name, providers.keySet()));
    }
    Map<String, ConfigurationKey> declared = new LinkedHashMap<>();
    provider.configuration().forEach(one -> declared.put(one.name(), one));
    ConfigurationKey found = declared.get(key);
    if (found == null) {
      throw wrong(option, name + " has no key '" + key + "'", near(key, declared.keySet()));
    }
    ApplicationConfiguration before =
        values.getOrDefault(name, ApplicationConfiguration.usual(provider.configuration()));
    Value value = new Value(option.substring(equals + 1).strip(), before);
    try {
      values.put(name, found.accept(value));
    } catch (IllegalArgumentException e) {
      throw wrong(option, "the value is not allowed", "give " + found.allowed());
    }
    keys.computeIfAbsent(name, any -> new TreeMap<>()).put(key, value.yaml(found));
  }

  private static String near(String word, Set<String> known) {
    return Suggestion.nearest(word, known)
        .map(near -> "did you mean '" + near + "'?")
        .orElse("known here: " + String.join(", ", known));
  }

  private static void requireMade(
      ApplicationProvider provider, ApplicationConfiguration configuration) {
    try {
      provider.create(configuration);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw new IllegalArgumentException(
          provider.name()
              + " refuses these values: "
              + ErrorLine.of(e)
              + "\n    remedy: change them",
          e);
    }
  }

  private static IllegalArgumentException wrong(String option, String why, String remedy) {
    return new IllegalArgumentException("'" + option + "': " + why + "\n    remedy: " + remedy);
  }

  private static String yaml(Map<String, Map<String, String>> keys) {
    StringBuilder yaml = new StringBuilder();
    keys.forEach(
        (name, values) -> {
          yaml.append(yaml.isEmpty() ? "applications:\n" : "").append("  ").append(name);
          yaml.append(":\n");
          values.forEach(
              (key, value) ->
                  yaml.append("    ").append(key).append(": ").append(value).append('\n'));
        });
    return yaml.toString();
  }

  /** A value as it was given, without blanks at its ends, as the node reads it. */
  private record Value(String text, ApplicationConfiguration before)
      implements ConfigurationKey.Visitor<ApplicationConfiguration> {
    @Override
    public ApplicationConfiguration whole(ConfigurationKey.Whole key) {
      return before.with(key.name(), Integer.parseInt(text));
    }

    @Override
    public ApplicationConfiguration text(ConfigurationKey.Text key) {
      return before.with(key.name(), text);
    }

    @Override
    public ApplicationConfiguration texts(ConfigurationKey.Texts key) {
      return before.with(key.name(), items());
    }

    private List<String> items() {
      return text.isEmpty()
          ? List.of()
          : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    /** In the form of the file: a text in quotes that no character of it ends. */
    String yaml(ConfigurationKey key) {
      if (key instanceof ConfigurationKey.Whole) {
        return Integer.toString(Integer.parseInt(text));
      }
      return key instanceof ConfigurationKey.Texts
          ? items().stream().map(Value::quoted).collect(Collectors.joining(", ", "[", "]"))
          : quoted(text);
    }

    private static String quoted(String text) {
      return TextNode.valueOf(text).toString();
    }
  }
}
