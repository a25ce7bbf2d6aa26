package io.lockstep.deploy.application;

import io.lockstep.apps.Applications;
import io.lockstep.core.app.ApplicationProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The applications that a node runs. Immutable.
 *
 * @param providers each name once
 */
public record ApplicationCatalog(List<ApplicationProvider> providers) {
  /** Those of the product. */
  public static final ApplicationCatalog BUILT_IN =
      new ApplicationCatalog(Applications.providers());

  public ApplicationCatalog {
    providers = List.copyOf(providers);
  }

  /**
   * These and the applications of jars.
   *
   * @throws ApplicationJarException where a jar cannot be used, or a name is there twice
   */
  public ApplicationCatalog with(List<Path> jars) throws ApplicationJarException {
    Map<String, Path> places = new HashMap<>();
    List<ApplicationProvider> all = new ArrayList<>(providers);
    for (Path jar : jars) {
      for (ApplicationProvider provider : ApplicationJar.load(jar)) {
        String name = provider.name();
        boolean known = names().contains(name);
        Path other = places.put(name, jar);
        if (known || other != null) {
          throw new ApplicationJarException(
              jar,
              "there is an application '"
                  + name
                  + "' already, "
                  + (known || other == null ? "of Lockstep itself" : "in " + other),
              "give this one another name, or leave one of the two out");
        }
        for (ApplicationProvider before : all) {
          for (String table : provider.tables().keySet()) {
            if (before.tables().containsKey(table)) {
              throw new ApplicationJarException(
                  jar,
                  "application '" + before.name() + "' has the table '" + table + "' already",
                  "call its tables apps.NAME.SOMETHING, or give the application another name");
            }
          }
        }
        all.add(provider);
      }
    }
    return new ApplicationCatalog(all);
  }

  /** All names, in the order of the providers. */
  public List<String> names() {
    return providers.stream().map(ApplicationProvider::name).toList();
  }
}
