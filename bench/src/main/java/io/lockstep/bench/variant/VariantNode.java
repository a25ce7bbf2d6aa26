package io.lockstep.bench.variant;

import io.lockstep.apps.Applications;
import io.lockstep.apps.learningswitch.LearningAccess;
import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.apps.loadbalancer.BalancerAccess;
import io.lockstep.apps.loadbalancer.LoadBalancer;
import io.lockstep.apps.loadbalancer.state.ConnectionAnswer;
import io.lockstep.apps.loadbalancer.state.ConnectionKey;
import io.lockstep.apps.loadbalancer.state.IngressPort;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.Decision;
import io.lockstep.core.host.DeviceAccess;
import io.lockstep.deploy.application.ApplicationCatalog;
import io.lockstep.deploy.node.NodeAdditions;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a node is made of that runs applications in one variant: those in place of the product's,
 * and what is added to the node. Every replica of the cluster needs the same {@link #components}.
 *
 * @param applications that run in the variant
 * @param trace records their operations
 */
public record VariantNode(
    Set<TracedApplication> applications, Variant variant, OperationTrace trace) {

  /** The applications of the paper. */
  public enum TracedApplication {
    LEARNING_SWITCH,
    LOAD_BALANCER,
    DEVICE_MANAGER
  }

  /** The micro components of all variants. */
  public static List<MicroComponent> components() {
    List<MicroComponent> all = new ArrayList<>(DeviceComponents.all());
    all.add(new TakeTurn());
    all.add(new ReplaceByValue());
    return List.copyOf(all);
  }

  /** Whether a table or component is one whose reads and writes a node's cache may answer. */
  static boolean mayBeCached(String tableOrComponent) {
    return tableOrComponent.equals(LearningVariant.TABLE)
        || tableOrComponent.startsWith(BalancedService.PREFIX)
        || tableOrComponent.startsWith(DeviceComponents.PREFIX);
  }

  /** The product's applications, some of them in this variant. */
  public ApplicationCatalog catalog() {
    List<ApplicationProvider> all = new ArrayList<>();
    for (ApplicationProvider provider : Applications.providers()) {
      all.add(
          switch (provider.name()) {
            case LearningSwitch.NAME -> learningSwitch(provider);
            case LoadBalancer.NAME -> loadBalancer(provider);
            default -> provider;
          });
    }
    return new ApplicationCatalog(all, Map.of());
  }

  private boolean has(TracedApplication one) {
    return applications.contains(one);
  }

  /** The device manager is no application of its own: its tables are declared with this one's. */
  private ApplicationProvider learningSwitch(ApplicationProvider product) {
    Map<String, TableSpec> tables = new HashMap<>();
    if (has(TracedApplication.DEVICE_MANAGER)) {
      tables.putAll(DeviceRecord.tables(variant));
    }
    if (!has(TracedApplication.LEARNING_SWITCH)) {
      return new VariantProvider(product, tables, product::create);
    }
    tables.putAll(LearningVariant.TABLES);
    return new VariantProvider(
        product,
        tables,
        configuration ->
            new LearningSwitch(
                new LearningSwitch.Config(configuration.whole("idleTimeoutSeconds")),
                traced(learning())));
  }

  private ApplicationProvider loadBalancer(ApplicationProvider product) {
    return has(TracedApplication.LOAD_BALANCER)
        ? new VariantProvider(
            product,
            BalancedService.tables(variant),
            configuration -> new LoadBalancer(traced(balancer())))
        : product;
  }

  private LearningAccess learning() {
    return variant == Variant.OWN ? LearningAccess.OWN : new LearningVariant(variant);
  }

  private BalancerAccess balancer() {
    return variant == Variant.OWN ? BalancerAccess.OWN : new BalancerVariant(variant);
  }

  /** What is added to the node. */
  public NodeAdditions additions() {
    return new NodeAdditions(components(), trace::watching, devices());
  }

  private DeviceAccess.Factory devices() {
    return has(TracedApplication.DEVICE_MANAGER) && variant != Variant.OWN
        ? (store, nanoTime) ->
            new PaperDevices(
                new DeviceVariant(variant), trace, store, nanoTime, System::currentTimeMillis)
        : DeviceAccess.Factory.OWN;
  }

  /** The same access, whose operations are recorded. */
  LearningAccess traced(LearningAccess access) {
    return (packet, network, vlan, maxAtPort, then) -> {
      boolean toGroup = (packet.frame()[0] & 1) != 0;
      OperationTrace.Event event = trace.begin(toGroup ? "ls-bcast" : "ls-ucast");
      return event.following(access.learn(packet, network, vlan, maxAtPort, then));
    };
  }

  /** The same access, whose operations are recorded. */
  BalancerAccess traced(BalancerAccess access) {
    return new BalancerAccess() {
      @Override
      public Decision address(int ip, LongFunction<Decision> then) {
        return trace.begin("lb-arp").following(access.address(ip, then));
      }

      @Override
      public Decision member(
          ConnectionKey key,
          IngressPort ingress,
          boolean begins,
          Function<@Nullable ConnectionAnswer, Decision> then) {
        OperationTrace.Event event = trace.begin("lb-vip");
        return event.following(
            access.member(
                key,
                ingress,
                begins,
                answer -> {
                  event.complete();
                  return then.apply(answer);
                }));
      }
    };
  }

  /** All tables of the applications, for a client that prepares them. */
  public Map<String, TableSpec> tables() {
    Map<String, TableSpec> all = new HashMap<>();
    catalog().providers().forEach(provider -> all.putAll(provider.tables()));
    return Map.copyOf(all);
  }
}
