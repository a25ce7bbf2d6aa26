package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.state.TableView;
import io.lockstep.core.testing.ManualTime;
import io.lockstep.core.topology.NetworkPicture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;

class HostPicturesTest {
  private static final HostKey KEY = new HostKey(7, 3);
  private static final HostRecord HERE = HostRecord.at(new SwitchPort(1, 1), 5);
  private static final HostRecord THERE = HostRecord.at(new SwitchPort(2, 1), 6);

  private final ManualTime time = new ManualTime();
  private final Map<HostKey, TableView.Held<HostEntity>> table = new HashMap<>();
  private final List<NetworkView> published = new ArrayList<>();
  private final List<String> left = new ArrayList<>();
  private final HostPictures pictures =
      new HostPictures(
          table,
          hosts -> published.add(NetworkPicture.UNKNOWN.with(hosts)),
          (place, host) -> left.add(published.size() + " " + place.dpid() + " " + host),
          time);

  private void change(HostKey key, @Nullable HostRecord now) {
    TableView.Held<HostEntity> old =
        now == null
            ? table.remove(key)
            : table.put(key, new TableView.Held<>(new HostEntity(now, 1, 2, List.of()), 1));
    pictures.changed(key, old == null ? null : old.value().host(), now);
  }

  @Test
  void changesThatComeTogetherMakeOnePicture() {
    change(KEY, HERE);
    change(new HostKey(8, -1), HERE);
    change(KEY, THERE);
    time.pass(HostPictures.USUAL_MILLIS - 1);
    assertThat(published).isEmpty();
    time.pass(2);
    assertThat(published).hasSize(1);
    assertThat(published.get(0).hosts())
        .containsExactlyInAnyOrder(
            new KnownHost(MacAddress.valueOf(7), 3, THERE.location().connectPoint()),
            new KnownHost(MacAddress.valueOf(8), -1, HERE.location().connectPoint()));
    change(KEY, null);
    time.pass(HostPictures.USUAL_MILLIS + 1);
    assertThat(published).hasSize(2);
    assertThat(published.get(0).hosts()).as("an older picture stays as it is").hasSize(2);
    assertThat(published.get(1).host(MacAddress.valueOf(7), 3)).isNull();
  }

  @Test
  void whoLeftAPlaceIsToldBehindThePictureThatShowsIt() {
    change(KEY, HERE);
    time.pass(1_000);
    change(KEY, THERE);
    change(KEY, HERE);
    change(KEY, THERE);
    change(new HostKey(8, -1), THERE);
    assertThat(left).as("no picture shows it yet").isEmpty();
    time.pass(1_000);
    assertThat(left).as("it is back at the second place").containsExactly("2 1 00:00:00:00:00:07");
    change(KEY, null);
    time.pass(1_000);
    assertThat(left).as("one that is gone is nowhere else").hasSize(1);
  }

  @Test
  void anAddressThatTheHostClaimsMakesAPicture() {
    change(KEY, HERE);
    time.pass(1_000);
    change(KEY, new HostRecord(HERE.location(), List.of(0x0a000001), List.of(), 0, null, 5));
    time.pass(1_000);
    assertThat(published).hasSize(2);
    assertThat(published.get(1).hostWith(0x0a000001, 3)).isNotNull();
    assertThat(published.get(1).hostWith(0x0a000001, -1)).as("another VLAN").isNull();
    change(KEY, new HostRecord(HERE.location(), List.of(0x0a000001), List.of(), 9, null, 5));
    time.pass(1_000);
    assertThat(published).as("one that it only shows makes none").hasSize(2);
  }

  @Test
  void ofSeveralHostsWithAnAddressTheOneThatIsThereLongestHasIt() {
    for (int mac = 20; mac > 0; mac--) {
      change(
          new HostKey(mac, -1),
          new HostRecord(HERE.location(), List.of(7), List.of(), 0, null, mac == 12 ? 4 : 5));
    }
    time.pass(1_000);
    assertThat(Objects.requireNonNull(published.get(0).hostWith(7, 0)).address())
        .isEqualTo(MacAddress.valueOf(12));
  }

  @Test
  void manyHostsMakePicturesRarer() {
    for (int i = 0; i < 10_000; i++) {
      change(new HostKey(i, -1), HERE);
    }
    time.pass(HostPictures.USUAL_MILLIS + 1);
    published.clear();
    change(KEY, HERE);
    time.pass(HostPictures.USUAL_MILLIS + 50);
    assertThat(published).isEmpty();
    time.pass(60);
    assertThat(published).hasSize(1);
  }
}
