package io.lockstep.deploy.config;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.ConfigurationKey;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.noun.AskedApplication;
import io.lockstep.core.state.ErrorLine;
import io.lockstep.deploy.application.ApplicationCatalog;
import io.lockstep.deploy.application.ApplicationJarException;
import io.lockstep.deploy.config.NodeSettings.ConfiguredApplication;
import io.lockstep.deploy.config.NodeSettings.RunApplications;
import io.lockstep.store.TableSpec;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.YamlTree;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads the list {@code applicationJars}, reads the section {@code applications} as the
 * applications' providers declare their keys, and makes the applications, so that one that refuses
 * its values keeps the node from starting.
 */
final class ApplicationSections {
  private static final String JARS = "applicationJars";
  private static final int MOST_JARS = 64;

  private ApplicationSections() {}

  /**
   * Reads list and section.
   *
   * @param home paths of jars are relative to it
   * @param complete whether the catalog has all applications of the node but those of the list, so
   *     that another name is a mistake; else it may be that of a jar that this process does not
   *     load, and it loads none
   */
  static RunApplications read(
      Section root, Path home, ApplicationCatalog catalog, boolean complete) {
    ApplicationCatalog all = catalog;
    boolean allLoaded = complete;
    List<YamlTree.Scalar> jars = root.scalars(JARS);
    if (jars.size() > MOST_JARS) {
      root.complain(JARS, "more than " + MOST_JARS + " jars", "pack several applications together");
      allLoaded = false;
    }
    for (YamlTree.Scalar jar : allLoaded ? jars : List.<YamlTree.Scalar>of()) {
      try {
        all = all.with(home.resolve(jar.text()));
      } catch (ApplicationJarException e) {
        root.complainAt(jar.place(), JARS, e.why(), e.remedy());
        allLoaded = false;
      } catch (InvalidPathException e) {
        root.complainAt(jar.place(), JARS, "this is no path", "give the path of a jar");
        allLoaded = false;
      }
    }
    return read(root, all, allLoaded);
  }

  private static RunApplications read(Section root, ApplicationCatalog catalog, boolean complete) {
    Section applications = root.section("applications");
    List<RankedApplication> ranked = new ArrayList<>();
    Map<String, TableSpec> tables = new HashMap<>();
    List<ConfiguredApplication> configured = new ArrayList<>();
    for (ApplicationProvider provider : catalog.providers()) {
      Section section = applications.section(provider.name());
      ApplicationConfiguration configuration = values(section, provider.configuration());
      section.finish();
      if (root.isSound()) {
        AskedApplication asked = make(applications, provider, configuration, ranked);
        if (asked != null) {
          tables.putAll(provider.tables());
          configured.add(
              new ConfiguredApplication(
                  asked, provider.priority(), catalog.jars().get(provider.name())));
        }
      }
    }
    if (complete) {
      applications.finish(
          "unknown application",
          "load one of your own with applicationJars, or with 'node --app FILE.jar'; known here: ");
    }
    return new RunApplications(ranked, tables, configured);
  }

  private static ApplicationConfiguration values(Section section, List<ConfigurationKey> keys) {
    ApplicationConfiguration values = ApplicationConfiguration.usual(keys);
    for (ConfigurationKey key : keys) {
      if (section.has(key.name())) {
        values = key.accept(new OneKey(section, values));
      }
    }
    return values;
  }

  /** Reads the value of a key that stands in the file. */
  private record OneKey(Section section, ApplicationConfiguration values)
      implements ConfigurationKey.Visitor<ApplicationConfiguration> {
    @Override
    public ApplicationConfiguration whole(ConfigurationKey.Whole key) {
      int value = section.number(key.name(), key.usual(), key.least(), key.most(), key.unit());
      return values.with(key.name(), value);
    }

    @Override
    public ApplicationConfiguration text(ConfigurationKey.Text key) {
      String value =
          section.text(key.name(), key.usual(), key.pattern().pattern(), "give " + key.allowed());
      // The usual value need not match.
      return value.equals(key.usual()) ? values : values.with(key.name(), value);
    }

    @Override
    public ApplicationConfiguration texts(ConfigurationKey.Texts key) {
      return values.with(key.name(), ApplicationSections.texts(section, key));
    }
  }

  private static List<String> texts(Section section, ConfigurationKey.Texts key) {
    Set<String> seen = new HashSet<>();
    List<String> values = new ArrayList<>();
    for (YamlTree.Scalar item : section.scalars(key.name())) {
      if (!key.pattern().matcher(item.text()).matches()) {
        section.complainAt(
            item.place(),
            key.name(),
            "'" + item.text() + "' is not allowed",
            "give " + key.allowed());
      } else if (!seen.add(item.text())) {
        section.complainAt(
            item.place(), key.name(), "'" + item.text() + "' is there twice", "give each once");
      } else if (values.size() == ConfigurationKey.Texts.MOST) {
        section.complain(
            key.name(),
            "more than " + ConfigurationKey.Texts.MOST + " values",
            "give fewer values");
        break;
      } else {
        values.add(item.text());
      }
    }
    return values;
  }

  /** Makes the application; null where it or its nouns cannot be made. */
  private static @Nullable AskedApplication make(
      Section applications,
      ApplicationProvider provider,
      ApplicationConfiguration configuration,
      List<RankedApplication> ranked) {
    String name = provider.name();
    PacketApplication made;
    AskedApplication asked;
    try {
      made = provider.create(configuration);
      asked =
          new AskedApplication(
              name,
              configuration,
              provider.tables().keySet(),
              provider.nouns(),
              provider.resources());
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      applications.complain(
          name,
          "the application refuses these values: " + ErrorLine.of(e),
          "change them, or ask who wrote " + provider.getClass().getName());
      return null;
    }
    if (made == null || !name.equals(made.name())) {
      applications.complain(
          name,
          "its provider makes " + (made == null ? "nothing" : "'" + made.name() + "'"),
          provider.getClass().getName() + " must make an application with its own name");
      return null;
    }
    ranked.add(new RankedApplication(made, provider.priority()));
    return asked;
  }
}
