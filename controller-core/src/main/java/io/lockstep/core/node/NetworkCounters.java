package io.lockstep.core.node;

import io.lockstep.core.flow.RuleInstaller;
import io.lockstep.core.host.HostCounters;
import io.lockstep.core.host.HostTracker;
import io.lockstep.core.link.LinkDiscovery;
import io.lockstep.core.link.LldpReceiver;
import io.lockstep.core.packet.ApplicationFailures;
import io.lockstep.core.packet.DroppedPackets;
import io.lockstep.core.packet.PacketCounters;
import io.lockstep.core.packet.PacketDispatcher;
import io.lockstep.core.packet.PuntKeeper;
import io.lockstep.core.state.InputCounters;
import io.lockstep.store.measure.DurationHistogram;
import java.util.Map;

/** What the parts of {@link NetworkRoom} count since the node started. Thread-safe. */
public final class NetworkCounters {
  private final PacketDispatcher dispatcher;
  private final ApplicationFailures failures;
  private final InputCounters inputs;
  private final HostCounters hosts;
  private final LinkDiscovery discovery;
  private final LldpReceiver lldp;
  private final PuntKeeper punts;
  private final RuleInstaller installer;

  NetworkCounters(
      PacketDispatcher dispatcher,
      ApplicationFailures failures,
      InputCounters inputs,
      HostTracker hosts,
      LinkDiscovery discovery,
      LldpReceiver lldp,
      PuntKeeper punts,
      RuleInstaller installer) {
    this.dispatcher = dispatcher;
    this.failures = failures;
    this.inputs = inputs;
    this.hosts = hosts.counters();
    this.discovery = discovery;
    this.lldp = lldp;
    this.punts = punts;
    this.installer = installer;
  }

  /** What became of the packet-ins. */
  public PacketCounters packets() {
    return dispatcher.counters();
  }

  /** The packet-ins that were dropped because there was too much. */
  public DroppedPackets droppedPackets() {
    return dispatcher.dropped();
  }

  /** The applications and packet processors that failed. */
  public ApplicationFailures applicationFailures() {
    return failures;
  }

  /** How many decisions of each application were carried out, by its name. */
  public Map<String, Long> applicationDecisions() {
    return dispatcher.decisions().all();
  }

  /** How many questions each application asked the store, by its name. */
  public Map<String, Long> applicationQuestions() {
    return dispatcher.decisions().asks();
  }

  /** How long flows took to set up, as this node measures. */
  public DurationHistogram.Reading flowSetups() {
    return dispatcher.flowSetups();
  }

  /** What applications counted themselves, by their names. */
  public Map<String, Map<String, Long>> applicationEvents() {
    return dispatcher.decisions().events();
  }

  /** Entries of an application that bounded tables did not take. */
  public long applicationEntriesRefused(String application) {
    return installer.softEntriesRefused(application);
  }

  /** Reports of switches that did not become a task of their own. */
  public InputCounters inputs() {
    return inputs;
  }

  /** What host tracking met. */
  public HostCounters hosts() {
    return hosts;
  }

  /** New links that probes claimed, by whether they were accepted. */
  public Map<String, Long> linkClaims() {
    return discovery.claims();
  }

  /** What happened to the entries that send packets up. */
  public Map<PuntKeeper.Event, Long> puntEntries() {
    return punts.counts();
  }

  /** What became of the LLDP frames. */
  public LldpReceiver.Counts lldp() {
    return lldp.counts();
  }
}
