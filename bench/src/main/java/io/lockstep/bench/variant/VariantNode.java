package io.lockstep.bench.variant;

import io.lockstep.apps.Applications;
import io.lockstep.apps.learningswitch.LearningAccess;
import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.apps.loadbalancer.BalancerAccess;
import io.lockstep.apps.loadbalancer.LoadBalancer;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.host.DeviceAccess;
import io.lockstep.deploy.application.ApplicationCatalog;
import io.lockstep.deploy.node.NodeAdditions;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a node is made of that runs applications in one variant: those in place of the product's,
 * and what is added to the node. Every replica of the cluster needs the same {@link #components}.
 *
 * @param applications that run in the variant
 * @param alone whether no other application runs, as in the paper: what they pass on is flooded
 */
public record VariantNode(Set<TracedApplication> applications, Variant variant, boolean alone) {

  /** The applications of the paper. */
  public enum TracedApplication {
    LEARNING_SWITCH,
    LOAD_BALANCER,
    DEVICE_MANAGER;

    /** The name of the application, and of its traces. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The micro components of all variants. */
  public static List<MicroComponent> components() {
    List<MicroComponent> all = new ArrayList<>(DeviceComponents.all());
    all.add(new TakeTurn());
    all.add(new ReplaceByValue());
    return List.copyOf(all);
  }

  /**
   * The applications of the node: the product's, some of them in this variant; or those alone, and
   * a hub where the learning switch is not among them.
   */
  public ApplicationCatalog catalog() {
    List<ApplicationProvider> all = new ArrayList<>();
    for (ApplicationProvider provider : Applications.providers()) {
      switch (provider.name()) {
        case LearningSwitch.NAME -> {
          if (!alone || has(TracedApplication.LEARNING_SWITCH)) {
            all.add(learningSwitch(provider));
          }
        }
        case LoadBalancer.NAME -> {
          if (!alone || has(TracedApplication.LOAD_BALANCER)) {
            all.add(loadBalancer(provider));
          }
        }
        default -> all.add(provider);
      }
    }
    // Of two that come last the first by name would claim all packets.
    if (alone && !has(TracedApplication.LEARNING_SWITCH)) {
      all.add(new HubProvider(tablesOfDevices()));
    }
    return new ApplicationCatalog(all, Map.of());
  }

  private boolean has(TracedApplication one) {
    return applications.contains(one);
  }

  /** The device manager is no application of its own: its tables are declared with another's. */
  private Map<String, TableSpec> tablesOfDevices() {
    return has(TracedApplication.DEVICE_MANAGER) && variant != Variant.OWN
        ? DeviceRecord.tables(variant)
        : Map.of();
  }

  private ApplicationProvider learningSwitch(ApplicationProvider product) {
    Map<String, TableSpec> tables = new HashMap<>(tablesOfDevices());
    if (!has(TracedApplication.LEARNING_SWITCH)) {
      return new VariantProvider(product, tables, product::create);
    }
    tables.putAll(LearningVariant.TABLES);
    return new VariantProvider(
        product,
        tables,
        configuration ->
            new LearningSwitch(
                new LearningSwitch.Config(configuration.whole("idleTimeoutSeconds")), learning()));
  }

  private ApplicationProvider loadBalancer(ApplicationProvider product) {
    return has(TracedApplication.LOAD_BALANCER)
        ? new VariantProvider(
            product, BalancedService.tables(variant), configuration -> new LoadBalancer(balancer()))
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
    return new NodeAdditions(components(), devices());
  }

  private DeviceAccess.Factory devices() {
    return has(TracedApplication.DEVICE_MANAGER) && variant != Variant.OWN
        ? (store, traffic, nanoTime) ->
            new PaperDevices(
                new DeviceVariant(variant), store, traffic, nanoTime, System::currentTimeMillis)
        : DeviceAccess.Factory.OWN;
  }

  /** All tables of the applications, for a client that prepares them. */
  public Map<String, TableSpec> tables() {
    Map<String, TableSpec> all = new HashMap<>();
    catalog().providers().forEach(provider -> all.putAll(provider.tables()));
    return Map.copyOf(all);
  }
}
