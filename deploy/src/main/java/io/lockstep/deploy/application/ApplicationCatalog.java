package io.lockstep.deploy.application;

import io.lockstep.apps.Applications;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The applications that a node runs. Immutable.
 *
 * @param providers each name once
 * @param jars by the name of an application, where it comes from; those of the product have none
 */
public record ApplicationCatalog(List<ApplicationProvider> providers, Map<String, Path> jars) {
  /** Those of the product. */
  public static final ApplicationCatalog BUILT_IN =
      new ApplicationCatalog(Applications.providers(), Map.of());

  public ApplicationCatalog {
    providers = List.copyOf(providers);
    jars = Map.copyOf(jars);
  }

  /**
   * These and the applications of jars.
   *
   * @throws ApplicationJarException where a jar cannot be used, or a name or a jar is there twice
   */
  public ApplicationCatalog with(List<Path> more) throws ApplicationJarException {
    ApplicationCatalog all = this;
    for (Path jar : more) {
      all = all.with(jar);
    }
    return all;
  }

  /**
   * These and the applications of a jar.
   *
   * @throws ApplicationJarException where the jar cannot be used, or a name or the jar is there
   *     already
   */
  public ApplicationCatalog with(Path jar) throws ApplicationJarException {
    for (Path other : jars.values()) {
      if (isSame(jar, other)) {
        throw new ApplicationJarException(
            jar,
            "the same jar is there already" + (jar.equals(other) ? "" : ", as " + other),
            "name each jar once, with --app or in applicationJars");
      }
    }
    List<ApplicationProvider> all = new ArrayList<>(providers);
    Map<String, Path> places = new HashMap<>(jars);
    for (ApplicationProvider provider : ApplicationJar.load(jar)) {
      for (ApplicationProvider before : all) {
        requireNewName(jar, provider, before, places.get(before.name()));
      }
      all.add(provider);
      places.put(provider.name(), jar);
    }
    return new ApplicationCatalog(all, places);
  }

  private static boolean isSame(Path jar, Path other) {
    try {
      return jar.equals(other) || Files.isSameFile(jar, other);
    } catch (IOException e) {
      return false; // loading it says what is wrong
    }
  }

  private static void requireNewName(
      Path jar, ApplicationProvider provider, ApplicationProvider before, @Nullable Path other)
      throws ApplicationJarException {
    if (provider.name().equals(before.name())) {
      throw new ApplicationJarException(
          jar,
          "there is an application '"
              + before.name()
              + "' already, "
              + (other == null ? "of Lockstep itself" : "in " + other),
          "give this one another name, or leave one of the two out");
    }
    for (String table : provider.tables().keySet()) {
      if (before.tables().containsKey(table)) {
        throw new ApplicationJarException(
            jar,
            "application '" + before.name() + "' has the table '" + table + "' already",
            "call its tables apps.NAME.SOMETHING, or give the application another name");
      }
    }
    for (String name : resourceNames(provider)) {
      if (ReservedNames.RESOURCES.contains(name) || resourceNames(before).contains(name)) {
        throw new ApplicationJarException(
            jar,
            "there is a resource or a path '" + name + "' already",
            "give the resource of application '" + provider.name() + "' another name");
      }
    }
  }

  private static Set<String> resourceNames(ApplicationProvider provider) {
    Set<String> names = new HashSet<>();
    for (Resource resource : provider.resources()) {
      names.add(resource.description().name());
      names.add(resource.description().item());
    }
    return names;
  }

  /** All names, in the order of the providers. */
  public List<String> names() {
    return providers.stream().map(ApplicationProvider::name).toList();
  }
}
