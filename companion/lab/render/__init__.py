"""The renderer: cameras, lights, surfaces, slabs and hands as pictures with exact truth."""
