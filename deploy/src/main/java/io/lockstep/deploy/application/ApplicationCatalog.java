package io.lockstep.deploy.application;

import io.lockstep.apps.Applications;
import io.lockstep.core.app.ApplicationProvider;
import java.util.List;

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

  /** All names, in the order of the providers. */
  public List<String> names() {
    return providers.stream().map(ApplicationProvider::name).toList();
  }
}
