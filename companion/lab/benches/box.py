"""`companion bench box`: presses through a bad line, press-to-session time, and replugging under other names."""

from __future__ import annotations

import json
from dataclasses import asdict

import click


@click.command("box")
@click.option("--presses", default=10_000, show_default=True, help="Presses through the bad line (simulated time).")
@click.option(
    "--noise", default=0.1, show_default=True, help="Share of frames lost, spoilt, repeated, reordered: each."
)
@click.option("--latency-presses", default=500, show_default=True, help="Presses timed on a clean pty; 0 for none.")
@click.option("--replugs", default=20, show_default=True, help="Times the cable is pulled and put back; 0 for none.")
@click.option("--seed", default=1, show_default=True, help="Seed of the presses and of the noise.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_box(presses: int, noise: float, latency_presses: int, replugs: int, seed: int, as_json: bool) -> None:
    """Press, lose and repeat: does every press reach the session exactly once, and how soon?

    The first part runs the bridge and a box over a line that loses, corrupts, repeats and reorders frames both ways,
    in simulated time; the second and third run the virtual box on a real pty with the bridge on its own thread.
    Ends with exit code 1 when a press was lost, doubled, invented, altered or out of order, when the 99th percentile
    of press-to-session is above 20 ms, or when the box was not back within 2 s.

    Example: companion bench box --presses 1000000 --noise 0.1 --json
    """
    from companion.lab.simulators.link_rehearsal import rehearse_latency, rehearse_presses, rehearse_replug

    with click.progressbar(length=presses, label="presses", hidden=as_json) as bar:
        noisy = rehearse_presses(presses, noise, seed, lambda done: bar.update(done - bar.pos))
    latency = rehearse_latency(latency_presses, seed) if latency_presses else None
    replug = None
    if replugs:
        with click.progressbar(length=replugs, label="replugs", hidden=as_json) as bar:
            replug = rehearse_replug(replugs, seed, lambda done: bar.update(done - bar.pos))
    parts = {"presses": noisy, "latency": latency, "replug": replug}
    failed = [name for name, part in parts.items() if part is not None and not part.passed]
    if as_json:
        figures = {name: None if part is None else asdict(part) for name, part in parts.items()}
        click.echo(json.dumps({"noise": noise, "seed": seed, **figures, "passed": not failed}))
    else:
        for name, part in parts.items():
            if part is not None:
                values = asdict(part).items()
                rows = "  ".join(f"{k} {round(v, 3) if isinstance(v, float) else v}" for k, v in values)
                click.echo(f"{name}: {rows}: {'passed' if part.passed else 'FAILED'}")
    if failed:
        raise click.ClickException(f"not reached: {', '.join(failed)}")


BENCH = bench_box
