package io.lockstep.bench.variant;

import io.lockstep.bench.balancer.ServiceSetup;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.variant.BalancedService.Server;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.ConfiguredStore;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.typed.StoreAddress;
import java.security.SecureRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Puts a service of the load balancer into a cluster, for a variant also into its own tables. */
final class ServiceInStore {
  private static final long PATIENCE_MILLIS = 60_000;
  private static final int SUBNET = 20;
  private static final int MOST_CONNECTIONS = 1 << 12;
  private static final int CLIENT_NUMBER = 4_244;

  private ServiceInStore() {}

  /** Configures it as an operator does, and then fills the tables of the variant. */
  static void configure(ClusterPlan plan, BalancedService service, Variant variant)
      throws BenchException, InterruptedException {
    ServiceSetup setup = new ServiceSetup(plan.adminEndpoint(0));
    setup.addPool(service.pool());
    for (Server member : service.members()) {
      setup.addMember(member.name(), service.pool(), text(member.ip()));
    }
    setup.addVip(service.name(), service.pool(), text(service.ip()), SUBNET, MOST_CONNECTIONS);
    if (variant != Variant.OWN) {
      try {
        prepare(ConfiguredStore.address(plan.configFile(0)), service, variant);
      } catch (ConfigException | ExecutionException | TimeoutException e) {
        throw new BenchException("preparing the tables of " + variant.label(), e);
      }
    }
  }

  private static void prepare(StoreAddress address, BalancedService service, Variant variant)
      throws InterruptedException, ExecutionException, TimeoutException, BenchException {
    try (BatchingStoreClient store =
        BatchingStoreClient.open(
            BftSmartClient.connect(
                ClientConfig.of(address.cluster(), address.members(), CLIENT_NUMBER)),
            ClientOptions.of("variant").withTables(BalancedService.tables(variant)),
            System::nanoTime,
            new SecureRandom()::nextLong)) {
      for (Command command : service.preparation(variant)) {
        Reply reply = store.submit(command).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (!(reply instanceof Reply.Applied)) {
          throw new BenchException("preparing " + command.table() + ": " + reply);
        }
      }
    }
  }

  private static String text(int ip) {
    return (ip >>> 24) + "." + (ip >>> 16 & 0xff) + "." + (ip >>> 8 & 0xff) + "." + (ip & 0xff);
  }
}
