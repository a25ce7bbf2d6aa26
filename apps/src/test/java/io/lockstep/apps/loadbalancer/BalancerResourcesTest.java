package io.lockstep.apps.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.apps.loadbalancer.state.BalancerStore;
import io.lockstep.apps.loadbalancer.state.IngressPort;
import io.lockstep.apps.loadbalancer.state.TakeMember;
import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.NounInput;
import io.lockstep.core.app.Resource;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.app.TableRange;
import io.lockstep.core.app.TableSnapshot;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What operators show and change, against the store's real state machine. */
class BalancerResourcesTest {
  private final PlayedNetwork network = new PlayedNetwork();
  private final Resource vips = new VipResource();
  private final Resource pools = new PoolResource();
  private final Resource members = new MemberResource();

  /** Fields as the node gives them: checked, with usual values where none is given. */
  private static ResourceValues fields(Resource resource, Object... given) {
    ResourceValues.Builder values = ResourceValues.builder();
    for (ResourceField field : resource.description().fields()) {
      Object value = field.usualValue();
      for (int i = 0; i < given.length; i += 2) {
        value = given[i].equals(field.name()) ? field.checked(given[i + 1]) : value;
      }
      if (value != null) {
        values.add(field.name(), value);
      }
    }
    return values.build();
  }

  private ResourceResult change(Resource resource, ResourceChange change) {
    ResourceResult objection = resource.objection(change, network.view());
    return objection != null
        ? objection
        : resource.result(change, network.store.run(resource.command(change)));
  }

  private ResourceResult add(Resource resource, String id, Object... given) {
    return change(resource, new ResourceChange.Add(id, fields(resource, given)));
  }

  private long done(ResourceResult result) {
    assertThat(result).isInstanceOf(ResourceResult.Done.class);
    return ((ResourceResult.Done) result).version();
  }

  private List<ResourceItem> items(Resource resource, @Nullable String id) {
    List<TableSnapshot> tables =
        resource.reads(id).stream()
            .map(range -> new TableSnapshot(range, entries(range), true))
            .toList();
    return resource.items(
        new NounInput(
            id == null ? Map.of() : Map.of(Resource.ID, id),
            ApplicationConfiguration.usual(List.of()),
            network.view(),
            tables,
            0));
  }

  private List<Entry> entries(TableRange range) {
    Reply reply =
        network.store.run(new Command.Scan(range.table(), range.from(), range.to(), 10_000));
    return ((Reply.Entries) reply).entries();
  }

  private void addWeb() {
    done(add(pools, "web"));
    done(add(members, "m1", "pool", "web", "address", "10.0.0.1", "port", 8_080));
    done(add(members, "m2", "pool", "web", "address", "10.0.0.2", "port", 8_080, "weight", 3));
    done(add(vips, "web", "address", "10.0.0.100", "port", 80, "pool", "web"));
  }

  @Test
  void whatWasAddedIsShownWithItsUsualValues() {
    addWeb();
    ResourceItem vip = items(vips, "web").get(0);
    assertThat(vip.fields().asMap())
        .containsEntry("protocol", "tcp")
        .containsEntry("idleSeconds", 3_600L)
        .containsEntry("maxPerClient", 4_096L);
    assertThat(vip.state().asMap())
        .containsEntry("mac", "02:4C:0A:00:00:64")
        .containsEntry("connections", 0L)
        .containsEntry("cannotRewrite", List.of("of:0000000000000002"));
    assertThat(items(pools, "web").get(0).state().asMap())
        .containsEntry("members", List.of("m1", "m2"));
    assertThat(items(members, null)).extracting(ResourceItem::id).containsExactly("m1", "m2");
    assertThat(items(members, "m1").get(0).state().asMap())
        .containsEntry("health", "up")
        .containsEntry("place", "of:0000000000000001/3");
    assertThat(items(members, "m")).as("a name that begins others").isEmpty();
    done(add(vips, "dns", "address", "10.0.0.101", "port", 53, "pool", "web", "protocol", "udp"));
    assertThat(items(vips, "dns").get(0).fields().whole("idleSeconds")).isEqualTo(60);
  }

  @Test
  void connectionsAreCountedForTheirVirtualIp() {
    addWeb();
    for (int port = 40_000; port < 40_002; port++) {
      network.store.ask(
          TakeMember.command(BalancerStore.connection(0, port), new IngressPort(1, 1), true));
    }
    assertThat(items(vips, "web").get(0).state().asMap()).containsEntry("connections", 2L);
  }

  @Test
  void ofTwoOperatorsTheSecondHearsOfTheFirst() {
    long version = done(add(pools, "web"));
    ResourceValues faster = fields(pools, "intervalMillis", 500);
    long next = done(change(pools, new ResourceChange.Set("web", version, faster)));
    assertThat(change(pools, new ResourceChange.Set("web", version, faster)))
        .isEqualTo(new ResourceResult.Outdated(next));
    assertThat(change(pools, new ResourceChange.Remove("web", version)))
        .isEqualTo(new ResourceResult.Outdated(next));
    assertThat(add(pools, "web")).isEqualTo(new ResourceResult.Exists(next));
    done(change(pools, new ResourceChange.Remove("web", next)));
    assertThat(change(pools, new ResourceChange.Remove("web", next)))
        .isEqualTo(new ResourceResult.Missing());
  }

  @Test
  void whatOtherItemsDoNotAllowIsRefusedWithARemedy() {
    addWeb();
    long pool = items(pools, "web").get(0).version();
    ResourceResult.Conflict inUse =
        (ResourceResult.Conflict) change(pools, new ResourceChange.Remove("web", pool));
    assertThat(inUse.error()).isEqualTo("it is in use by virtual IP web");
    assertThat(inUse.remedy()).isEqualTo("change that first");
    invalid(
        add(vips, "other", "address", "10.0.0.100", "port", 80, "pool", "web"),
        "address",
        "web has tcp 10.0.0.100:80 already");
    invalid(
        add(vips, "other", "address", "10.0.0.101", "port", 80, "pool", "nil"),
        "pool",
        "there is no pool nil");
    invalid(
        add(members, "m3", "pool", "web", "address", "10.0.1.3", "port", 80),
        "address",
        "is not in the subnet of virtual IP web");
    done(add(pools, "empty"));
    done(add(vips, "empty", "address", "10.0.0.101", "port", 80, "pool", "empty"));
    invalid(
        add(vips, "vlan", "address", "10.0.0.102", "port", 80, "pool", "empty", "vlan", 7),
        "vlan",
        "empty has the same pool in VLAN 0");
    assertThatThrownBy(() -> add(vips, "other", "address", "10.0.0.300", "port", 80, "pool", "web"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("address: no IPv4 address");
  }

  private static void invalid(ResourceResult result, String field, String error) {
    assertThat(result).isInstanceOf(ResourceResult.Invalid.class);
    ResourceResult.Invalid invalid = (ResourceResult.Invalid) result;
    assertThat(invalid.field()).isEqualTo(field);
    assertThat(invalid.error()).startsWith(field + ": ").contains(error).doesNotContain("; ");
    assertThat(invalid.remedy()).isNotEmpty();
  }

  @Test
  void whatTheNetworkDoesNotAllowIsRefused() {
    addWeb();
    ResourceResult.Conflict taken =
        (ResourceResult.Conflict)
            add(vips, "other", "address", "10.0.0.201", "port", 80, "pool", "web");
    assertThat(taken.field()).isEqualTo("address");
    assertThat(taken.error()).contains("02:00:00:00:00:0B at of:0000000000000001/2");
    network.host(2, 1, 3, "10.0.0.3", 7);
    ResourceResult.Conflict elsewhere =
        (ResourceResult.Conflict)
            add(members, "m3", "pool", "web", "address", "10.0.0.3", "port", 80);
    assertThat(elsewhere.error()).contains("m3", "in VLAN 7", "virtual IP web is in no VLAN");
    done(add(pools, "late"));
    done(add(members, "m3", "pool", "late", "address", "10.0.0.3", "port", 80));
    assertThat(add(vips, "late", "address", "10.0.0.101", "port", 80, "pool", "late"))
        .as("the same where the virtual IP comes last")
        .isInstanceOf(ResourceResult.Conflict.class);
    done(add(vips, "late", "address", "10.0.0.101", "port", 80, "pool", "late", "vlan", 7));
  }

  @Test
  void eachResourceHasTheFieldsOfItsItems() {
    addWeb();
    Stream.of(vips, pools, members)
        .forEach(
            resource ->
                assertThat(items(resource, null).get(0).fields().asMap().keySet())
                    .as(resource.description().name())
                    .containsExactlyElementsOf(
                        resource.description().fields().stream()
                            .map(ResourceField::name)
                            .toList()));
  }
}
