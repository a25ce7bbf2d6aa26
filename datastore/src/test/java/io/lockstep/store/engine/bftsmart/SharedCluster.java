package io.lockstep.store.engine.bftsmart;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One cluster, and one load without callers, for all tests of a class. A test leaves it whole, and
 * ends all callers; after one that fails, the next begins with a new cluster.
 */
final class SharedCluster implements BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  /** Makes replicas that do not run yet. */
  interface Maker {
    ReplicaCluster make() throws IOException;
  }

  private final Maker maker;
  private @Nullable ReplicaCluster cluster;
  private @Nullable Load load;

  SharedCluster(Maker maker) {
    this.maker = maker;
  }

  ReplicaCluster cluster() {
    return there(cluster);
  }

  Load load() {
    return there(load);
  }

  private static <T> T there(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("asked for before a test");
    }
    return part;
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    if (cluster == null) {
      cluster = maker.make();
      cluster.startAll();
      cluster.awaitAllOperational();
      load = new Load(cluster, 7);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    if (context.getExecutionException().isPresent()) {
      close();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    close();
  }

  private void close() throws InterruptedException {
    if (load != null) {
      load.close();
      load = null;
    }
    if (cluster != null) {
      cluster.close();
      cluster = null;
    }
  }
}
