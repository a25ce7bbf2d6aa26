package io.lockstep.bench.variant;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.ConfigurationKey;
import io.lockstep.core.app.Noun;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.Resource;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Declares an application of the product with further tables, and makes it in another way.
 *
 * @param product what it stands for
 * @param more further tables
 * @param maker makes the application
 */
record VariantProvider(
    ApplicationProvider product,
    Map<String, TableSpec> more,
    Function<ApplicationConfiguration, PacketApplication> maker)
    implements ApplicationProvider {

  @Override
  public String name() {
    return product.name();
  }

  @Override
  public int priority() {
    return product.priority();
  }

  @Override
  public List<ConfigurationKey> configuration() {
    return product.configuration();
  }

  @Override
  public Map<String, TableSpec> tables() {
    Map<String, TableSpec> all = new HashMap<>(product.tables());
    all.putAll(more);
    return Map.copyOf(all);
  }

  @Override
  public List<Noun> nouns() {
    return product.nouns();
  }

  @Override
  public List<Resource> resources() {
    return product.resources();
  }

  @Override
  public List<MicroComponent> microComponents() {
    return product.microComponents();
  }

  @Override
  public PacketApplication create(ApplicationConfiguration configuration) {
    return maker.apply(configuration);
  }
}
