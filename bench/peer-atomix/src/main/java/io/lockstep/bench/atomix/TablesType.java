package io.lockstep.bench.atomix;

import io.atomix.core.map.AtomicMap;
import io.atomix.core.map.AtomicMapBuilder;
import io.atomix.core.map.AtomicMapConfig;
import io.atomix.primitive.PrimitiveManagementService;
import io.atomix.primitive.PrimitiveType;
import io.atomix.primitive.service.PrimitiveService;
import io.atomix.primitive.service.ServiceConfig;

/** The primitive for procedures. It is opened as a proxy; it has no builder of its own. */
@SuppressWarnings("rawtypes") // as its neighbours in Atomix
final class TablesType implements PrimitiveType<AtomicMapBuilder, AtomicMapConfig, AtomicMap> {
  static final TablesType INSTANCE = new TablesType();

  private TablesType() {}

  @Override
  public String name() {
    return "tables";
  }

  @Override
  public AtomicMapConfig newConfig() {
    return new AtomicMapConfig();
  }

  @Override
  public AtomicMapBuilder newBuilder(
      String primitiveName, AtomicMapConfig config, PrimitiveManagementService services) {
    throw new UnsupportedOperationException("opened as a proxy only");
  }

  @Override
  public PrimitiveService newService(ServiceConfig config) {
    return new TablesService();
  }
}
