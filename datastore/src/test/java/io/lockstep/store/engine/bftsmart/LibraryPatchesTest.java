package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bftsmart.communication.client.CommunicationSystemServerSideFactory;
import bftsmart.consensus.Consensus;
import bftsmart.consensus.Decision;
import bftsmart.consensus.Epoch;
import bftsmart.consensus.TimestampValuePair;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.reconfiguration.views.MemoryBasedViewStorage;
import bftsmart.tom.leaderchange.CollectData;
import io.lockstep.store.engine.bftsmart.library.FilteredObjectInput;
import io.lockstep.store.engine.bftsmart.library.LibraryPatches;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(IsolatedLibrary.class)
class LibraryPatchesTest {

  private static ServerViewController plainController() {
    return new ServerViewController(
        EngineViewController.configuration(LeaderChangeRulesTest.config()),
        new MemoryBasedViewStorage());
  }

  @Test
  void installingAgainDoesNothing() {
    LibraryPatches.install();
    LibraryPatches.install();
  }

  @Test
  void libraryPrintsNothing() {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      // The original prints "-- Creating current view from configuration file".
      assertThat(plainController().getCurrentViewN()).isEqualTo(3);
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("current view");
  }

  @Test
  void threeReplicasTolerateOneFault() {
    assertThat(plainController().getCurrentViewF()).isEqualTo(1);
  }

  @Test
  void hazard2ClientSideIsOursOrNothing() {
    assertThatThrownBy(
            () ->
                CommunicationSystemServerSideFactory.getCommunicationSystemServerSide(
                    plainController()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("other than through this engine");
  }

  @Test
  void valuesAreHashedByRegencyAndLengthAndComparedWhole() {
    TimestampValuePair value = new TimestampValuePair(3, new byte[] {1, 2, 3});
    TimestampValuePair same = new TimestampValuePair(3, new byte[] {1, 2, 3});
    TimestampValuePair other = new TimestampValuePair(3, new byte[] {1, 2, 4});
    assertThat(value).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(other);
    assertThat(value.hashCode()).isEqualTo(3 * 31 + 3);
  }

  @Test
  void leaderChangeAfterAMillionOthersDoesNotOverflowTheStack() {
    Consensus consensus = new Consensus(null, new Decision(4));
    Epoch epoch = consensus.createEpoch(1_000_000, plainController());
    epoch.setAccept(1, new byte[] {7});
    assertThat(epoch.countAccept(new byte[] {7})).isEqualTo(1);
    assertThat(consensus.getEpoch(999_999, false, plainController())).isNull();
  }

  @Test
  void leaderChangeReportsPassTheFilter() throws Exception {
    TimestampValuePair accepted = new TimestampValuePair(2, new byte[] {7});
    CollectData report = new CollectData(1, 2, 3, accepted, new HashSet<>(List.of(accepted)));
    HashSet<Object> reports = new HashSet<>(List.of(report));
    assertThat(read(reports))
        .isInstanceOfSatisfying(
            HashSet.class,
            set ->
                assertThat(set.iterator().next())
                    .isInstanceOfSatisfying(
                        CollectData.class,
                        copy -> assertThat(copy.getQuorumWrites()).isEqualTo(accepted)));
  }

  @Test
  void hazard18OtherClassesDoNotPassTheFilter() {
    assertThatThrownBy(() -> read(URI.create("a:b"))).isInstanceOf(InvalidClassException.class);
    assertThatThrownBy(() -> read(new HashSet<>(List.of(URI.create("a:b")))))
        .isInstanceOf(InvalidClassException.class);
  }

  private static Object read(Serializable object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (FilteredObjectInput in =
        new FilteredObjectInput(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}
